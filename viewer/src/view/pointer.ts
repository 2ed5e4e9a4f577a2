// A click or a tap picks; a drag does not.
import type { Viewer } from "./viewer";

export function listen_to_pointer(viewer: Viewer): void {
  const { canvas } = viewer.stage;
  let from: { x: number; y: number; time: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    from = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    const by_touch = event.pointerType === "touch";
    const is_click = from && event.isPrimary && Math.hypot(event.clientX - from.x, event.clientY - from.y) < (by_touch ? 10 : 4) && event.timeStamp - from.time < 600;
    from = null;
    if (is_click) viewer.choose(viewer.pick_at(event.clientX, event.clientY, by_touch ? 8 : 2));
  });
  canvas.addEventListener("dblclick", () => {
    if (viewer.picked?.kind !== "body") return;
    const place = viewer.place_of(viewer.picked.body);
    if (place) viewer.stage.look_at(place);
  });
}
