// The stage: canvas, cameras, the hand that turns them, and picking. It draws when something changed, never idly.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Bodies, SampleBox } from "./bodies";
import { holds, united } from "./sample_box";
import type { SharedUniforms } from "./shaders";

export type ViewName = "iso" | "front" | "side" | "top";

export interface Picked {
  kind: "body" | "contact";
  index: number; // of a contact: its place among the points drawn
}

// Towards the viewer, as in the painter of pictures (src/talus/report/drawing/projection.cpp).
const azimuth = -Math.PI / 3, elevation = (26 * Math.PI) / 180;
const towards: Record<ViewName, [number, number, number]> = {
  iso: [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)],
  front: [0, -1, 0],
  side: [1, 0, 0],
  top: [0, -1e-4, 1],
};

const field_of_view = 28; // degrees
const slow = 45; // [ms] between two pictures: too slow to turn with
const rest = 180; // [ms] without motion until full detail comes back
const no_plane = new THREE.Vector4(0, 0, 0, 1);
const contact_flag = 8388608;
const legend_width = 260; // [px] at the lower edge

const device_ratio = (): number => Math.min(window.devicePixelRatio || 1, 2);

// Graphics drawn by the processor: there smooth edges cost more than they are worth.
export function is_drawn_by_processor(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("this browser has no WebGL 2, which draws the bodies; it may be switched off");
  const facts = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(facts ? facts.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly over = new THREE.Scene(); // drawn over the first one
  readonly canvas: HTMLCanvasElement;
  bodies: Bodies | null = null;
  has_edges = true;
  onrender: () => void = () => {};
  private readonly renderer: THREE.WebGLRenderer;
  private readonly near_camera = new THREE.PerspectiveCamera(field_of_view, 1, 0.01, 100);
  private readonly flat_camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly target = new THREE.WebGLRenderTarget(1, 1);
  private reach: SampleBox = { lower: [-1, -1, -1], upper: [1, 1, 1] };
  private planes: THREE.Vector4[] = [];
  private legend_height = 96; // [px]
  private is_fitted = true; // the sample fills the picture, whatever size that gets
  private box: SampleBox = { lower: [-1, -1, -1], upper: [1, 1, 1] };
  private waiting = 0; // for the next picture of the screen
  private last_drawn = 0;
  private last_moved = -Infinity;
  private has_moved = false; // since the last picture
  private slow_pictures = 0;
  private thrift = 0; // in motion: 1 spares triangles, 2 pixels too
  private is_playing = false;
  private settle_timer = 0;
  private size = { width: 1, height: 1, ratio: 0 }; // [px]

  constructor(private readonly place: HTMLElement, private readonly dimension: 2 | 3, private readonly uniforms: SharedUniforms, is_smooth: boolean) {
    THREE.ColorManagement.enabled = false;
    this.renderer = new THREE.WebGLRenderer({ antialias: is_smooth, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("aria-label", "the bodies of the run");
    this.canvas.tabIndex = 0;
    this.canvas.addEventListener("webglcontextrestored", () => this.request());
    place.prepend(this.canvas);
    for (const camera of [this.near_camera, this.flat_camera]) camera.up.set(0, dimension === 2 ? 1 : 0, dimension === 2 ? 0 : 1);
    this.controls = new OrbitControls(this.start_camera(), this.canvas);
    this.set_up_controls();
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.controls.object as THREE.PerspectiveCamera | THREE.OrthographicCamera;
  }
  get is_parallel(): boolean {
    return this.camera === this.flat_camera;
  }
  get centre(): THREE.Vector3 {
    return this.controls.target;
  }
  set_paper(colour: string): void {
    this.renderer.setClearColor(new THREE.Color(colour), 1);
    this.uniforms.paper.value.set(colour);
    this.request();
  }
  set_playing(is_playing: boolean): void {
    this.is_playing = is_playing;
    this.request();
  }
  set_legend_height(height: number): void {
    if (height === this.legend_height) return;
    this.legend_height = height;
    if (this.is_fitted) this.fit();
  }
  // What the next fit takes into the picture.
  set_box(box: SampleBox): void {
    this.box = box;
  }
  // All that may be seen: how near and far the camera looks.
  set_reach(reach: SampleBox): void {
    this.reach = reach;
  }
  // A frame that outgrows the picture widens it, until the view is chosen by hand.
  widen(box: SampleBox): void {
    if (!this.is_fitted || holds(this.box, box)) return;
    this.box = united(this.box, box);
    this.fit();
  }

  // Half-spaces: one of a clip, two of a slice.
  set_cut(planes: THREE.Vector4[]): void {
    this.planes = planes;
    this.bodies?.set_cut(planes.length > 0);
    this.request();
  }

  request(): void {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }
  // Waits until the pixels are there.
  async finished(): Promise<void> {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    this.draw();
    this.renderer.getContext().finish();
    await new Promise((done) => requestAnimationFrame(done));
  }

  show(view: ViewName): void {
    const direction = this.dimension === 2 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(...towards[view]).normalize();
    this.look_along(direction);
  }
  // Faces the sample from a direction, and takes all of it into the picture.
  look_along(direction: THREE.Vector3): void {
    const middle = new THREE.Vector3(...this.box.lower).add(new THREE.Vector3(...this.box.upper)).multiplyScalar(0.5);
    this.camera.position.copy(middle).addScaledVector(direction, this.camera.position.distanceTo(this.controls.target) || 1);
    this.controls.target.copy(middle);
    this.controls.update();
    this.fit();
  }
  // Keeps the direction.
  fit(): void {
    const { lower, upper } = this.box;
    const middle = new THREE.Vector3(...lower).add(new THREE.Vector3(...upper)).multiplyScalar(0.5);
    const inverse = this.camera.quaternion.clone().invert();
    const margin = 1.08, width = this.place.clientWidth || 1, height = this.place.clientHeight || 1;
    const tangent = Math.tan((0.5 * field_of_view * Math.PI) / 180), aspect = width / height;
    let distance = 1e-6, wide = 1e-6, high = 1e-6;
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(k & 1 ? upper[0] : lower[0], k & 2 ? upper[1] : lower[1], k & 4 ? upper[2] : lower[2]).sub(middle).applyQuaternion(inverse);
      distance = Math.max(distance, corner.z + (margin * Math.max(Math.abs(corner.x) / aspect, Math.abs(corner.y))) / tangent);
      wide = Math.max(wide, Math.abs(corner.x));
      high = Math.max(high, Math.abs(corner.y));
    }
    if (this.dimension === 2) distance = 4 * Math.max(wide, high);
    let half = margin * Math.max(high, wide / aspect);
    // a flat sample that fills the picture leaves room below for legend and scale
    const room = this.is_parallel && (half * aspect - wide) / (2 * half * aspect) * width < legend_width ? Math.min(this.legend_height, 0.25 * height) : 0;
    half = Math.max(half, (margin * high * height) / (height - room));
    const shift = (room * half) / height;
    this.controls.target.copy(middle).add(new THREE.Vector3(0, -shift, 0).applyQuaternion(this.camera.quaternion));
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(0, 0, distance).applyQuaternion(this.camera.quaternion));
    this.flat_camera.zoom = 1;
    this.frame_flat(half);
    this.controls.update();
    this.is_fitted = true;
    this.last_moved = -Infinity; // one picture, not the first of many
    this.has_moved = false;
    this.request();
  }
  set_parallel(is_parallel: boolean): void {
    if (this.dimension === 2 || is_parallel === this.is_parallel) return;
    const from = this.camera, to = is_parallel ? this.flat_camera : this.near_camera;
    const half = this.metres_per_pixel() * 0.5 * (this.place.clientHeight || 1);
    to.quaternion.copy(from.quaternion);
    const arm = from.position.clone().sub(this.controls.target);
    if (is_parallel) {
      this.flat_camera.zoom = 1;
      this.frame_flat(half);
    } else {
      arm.setLength(half / Math.tan((0.5 * field_of_view * Math.PI) / 180));
    }
    to.position.copy(this.controls.target).add(arm);
    this.controls.object = to;
    this.controls.update();
    this.request();
  }
  zoom(factor: number): void {
    this.is_fitted = false;
    if (this.is_parallel) this.flat_camera.zoom *= factor;
    else this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.moved();
  }
  turn(around: number, up: number): void {
    if (this.dimension === 2) {
      this.shift(new THREE.Vector3(-around, up, 0).multiplyScalar(60 * this.metres_per_pixel()));
      return;
    }
    const arm = this.camera.position.clone().sub(this.controls.target);
    arm.applyAxisAngle(new THREE.Vector3(0, 0, 1), -around * 0.15);
    const side = new THREE.Vector3(0, 0, 1).cross(arm).normalize(), tilted = arm.clone().applyAxisAngle(side, -up * 0.1);
    if (Math.abs(tilted.clone().normalize().z) < 0.998) arm.copy(tilted);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.moved();
  }
  // Moves camera and centre together.
  shift(by: THREE.Vector3): void {
    this.is_fitted = false;
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
    this.moved();
  }
  look_at(point: THREE.Vector3): void {
    this.shift(point.clone().sub(this.controls.target));
  }

  // At the centre of the view.
  metres_per_pixel(): number {
    const height = this.place.clientHeight || 1;
    if (this.is_parallel) return (this.flat_camera.top - this.flat_camera.bottom) / this.flat_camera.zoom / height;
    return (2 * Math.tan((0.5 * field_of_view * Math.PI) / 180) * this.camera.position.distanceTo(this.controls.target)) / height;
  }
  // CSS pixels of the page; null: behind the viewer.
  on_screen(point: THREE.Vector3): [number, number] | null {
    this.camera.updateMatrixWorld();
    const seen = point.clone().project(this.camera);
    if (!(Math.abs(seen.z) <= 1)) return null;
    const room = this.canvas.getBoundingClientRect();
    return [room.left + (0.5 + 0.5 * seen.x) * room.width, room.top + (0.5 - 0.5 * seen.y) * room.height];
  }
  // Axes of the world as seen: right, up, towards the viewer.
  axes(): [number, number, number][] {
    const inverse = this.camera.quaternion.clone().invert();
    return [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)].map((axis) => axis.applyQuaternion(inverse).toArray() as [number, number, number]);
  }

  // What lies nearest to a place of the page, within a few pixels.
  pick(x: number, y: number, reach: number): Picked | null {
    const room = this.canvas.getBoundingClientRect(), size = 2 * reach + 1;
    this.set_range();
    this.camera.setViewOffset(room.width, room.height, x - room.left - reach, y - room.top - reach, size, size);
    this.target.setSize(size, size);
    const pixels = this.identities(size);
    this.camera.clearViewOffset();
    let best: Picked | null = null, nearest = Infinity;
    for (let k = 0; k < size * size; ++k) {
      const number = (pixels[4 * k]! << 16) + (pixels[4 * k + 1]! << 8) + pixels[4 * k + 2]! - 1;
      const far = Math.hypot((k % size) - reach, Math.floor(k / size) - reach) - (number >= contact_flag ? reach : 0); // contacts are small
      if (number < 0 || far >= nearest) continue;
      nearest = far;
      best = number >= contact_flag ? { kind: "contact", index: number - contact_flag } : { kind: "body", index: number };
    }
    return best;
  }

  private identities(size: number): Uint8Array {
    const { renderer, uniforms } = this;
    const hidden: THREE.Object3D[] = [];
    for (const scene of [this.scene, this.over]) {
      scene.traverse((object) => {
        if (object.userData["no_pick"] && object.visible) hidden.push(object);
      });
    }
    for (const object of hidden) object.visible = false;
    const colour = renderer.getClearColor(new THREE.Color()), mark = uniforms.pixel.value;
    uniforms.is_picking.value = 1;
    uniforms.pixel.value = mark / renderer.getPixelRatio();
    renderer.setClearColor(0x000000, 1);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(this.scene, this.camera);
    renderer.clearDepth();
    renderer.render(this.over, this.camera);
    const pixels = new Uint8Array(4 * size * size);
    renderer.readRenderTargetPixels(this.target, 0, 0, size, size, pixels);
    renderer.setRenderTarget(null);
    renderer.setClearColor(colour, 1);
    uniforms.is_picking.value = 0;
    uniforms.pixel.value = mark;
    for (const object of hidden) object.visible = true;
    return pixels;
  }

  private start_camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    const camera = this.dimension === 2 ? this.flat_camera : this.near_camera;
    camera.position.fromArray(this.dimension === 2 ? [0, 0, 1] : towards.iso);
    return camera;
  }
  private set_up_controls(): void {
    const { controls } = this;
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.screenSpacePanning = true;
    if (this.dimension === 2) {
      controls.enableRotate = false;
      controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
      controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
    controls.addEventListener("change", () => this.moved());
    controls.addEventListener("start", () => (this.is_fitted = false));
  }
  private frame_flat(half_height: number): void {
    const aspect = (this.place.clientWidth || 1) / (this.place.clientHeight || 1);
    Object.assign(this.flat_camera, { left: -half_height * aspect, right: half_height * aspect, top: half_height, bottom: -half_height });
    this.flat_camera.updateProjectionMatrix();
  }
  // Takes the room there is; draws only where that changed.
  resize(): void {
    const width = this.place.clientWidth, height = this.place.clientHeight, ratio = device_ratio();
    const before = this.size;
    if (width === 0 || height === 0 || (width === before.width && height === before.height && ratio === before.ratio)) return;
    this.size = { width, height, ratio };
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, true);
    this.near_camera.aspect = width / height;
    this.near_camera.updateProjectionMatrix();
    if (this.is_fitted) this.fit();
    else this.frame_flat(this.flat_camera.top * Math.max(1, before.width / before.height / (width / height))); // what was in sight stays in sight
    this.draw(); // a canvas of a new size is empty
  }
  private moved(): void {
    this.last_moved = performance.now();
    this.has_moved = true;
    this.request();
  }

  private draw(): void {
    const now = performance.now();
    const is_moving = this.is_playing || this.has_moved || now - this.last_moved < rest;
    this.has_moved = false;
    this.measure(now, is_moving);
    this.choose_detail(is_moving);
    this.choose_pixels(is_moving && this.thrift > 1);
    this.set_range();
    this.uniforms.pixel.value = 7 * this.renderer.getPixelRatio();
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    if (this.over.children.length > 0) {
      this.renderer.clearDepth();
      this.renderer.render(this.over, this.camera);
    }
    this.onrender();
  }
  // How long pictures take while they follow the hand.
  private measure(now: number, is_moving: boolean): void {
    const since = now - this.last_drawn;
    this.last_drawn = now;
    if (!is_moving || since > 3000) this.slow_pictures = 0;
    else this.slow_pictures = since > slow ? this.slow_pictures + 1 : 0;
    if (this.slow_pictures >= 3 && !this.is_playing) {
      this.thrift = Math.min(2, this.thrift + 1);
      this.slow_pictures = 0;
    }
    clearTimeout(this.settle_timer);
    if (is_moving && !this.is_playing) this.settle_timer = window.setTimeout(() => this.request(), Math.max(rest + 20, Math.min(2 * since, 1000)));
  }
  private choose_detail(is_moving: boolean): void {
    if (!this.bodies) return;
    const pixels = this.bodies.mean_diameter / this.metres_per_pixel();
    const hurry = is_moving && this.thrift > 0;
    const outlined = this.has_edges && this.planes.length === 0 && (this.dimension === 2 ? pixels > 5 || this.bodies.is_crowd : pixels > 14 && !hurry);
    this.bodies.set_detail(pixels < 4 || hurry ? "coarse" : outlined ? "edges" : "fine");
    this.uniforms.edge.value = this.bodies.is_crowd ? 0.9 : this.dimension === 2 ? Math.min(0.9, Math.max(0, (pixels - 4) / 22)) : Math.min(0.6, Math.max(0, (pixels - 12) / 40));
  }
  // The plane before which the viewer stands comes first.
  private order_planes(): void {
    const { cut_a, cut_b } = this.uniforms;
    const eye = this.is_parallel ? this.camera.getWorldDirection(new THREE.Vector3()).multiplyScalar(-1e6) : this.camera.position;
    const outside = (plane: THREE.Vector4): boolean => plane.x * eye.x + plane.y * eye.y + plane.z * eye.z + plane.w < 0;
    const [first, second] = this.planes.length === 2 && outside(this.planes[1]!) ? [this.planes[1], this.planes[0]] : this.planes;
    cut_a.value.copy(first ?? no_plane);
    cut_b.value.copy(second ?? no_plane);
  }
  private choose_pixels(is_sparing: boolean): void {
    const ratio = (is_sparing ? 0.5 : 1) * device_ratio();
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }
  private set_range(): void {
    this.order_planes();
    const { lower, upper } = this.reach;
    const size = Math.hypot(...lower.map((low, k) => upper[k]! - low)) || 1;
    const middle = new THREE.Vector3(...lower).add(new THREE.Vector3(...upper)).multiplyScalar(0.5);
    const distance = this.camera.position.distanceTo(middle);
    this.uniforms.depths.value.set(distance - 0.4 * size, distance + 0.5 * size);
    this.near_camera.near = Math.max(distance - 2 * size, 2e-3 * Math.min(distance, size));
    this.near_camera.far = distance + 4 * size;
    this.flat_camera.near = distance - 4 * size;
    this.flat_camera.far = distance + 4 * size;
    this.camera.updateProjectionMatrix();
  }
}
