// What is known of a crowd over the whole run: the ways people went, by which exit they left.
import { column_of, type Frame, type Packet } from "./format";

export interface CrowdFacts {
  frames: number; // of the run, when this was told
  bodies: number;
  exit: Int16Array; // by which they leave in the run; -1: they stay
  moment: Float32Array; // [s] of the places
  way_first: Int32Array; // moment of the first place of a body; -1: it is no person
  way_start: Uint32Array; // [bodies + 1]
  way_place: Float32Array; // [places, 2] m
}

export function read_crowd(packet: Packet): CrowdFacts {
  const { facts } = packet, bodies = Number(facts["bodies"]);
  const lower = facts["lower"] as number[], upper = facts["upper"] as number[];
  const raw = column_of(packet, "way_place");
  const way_place = Float32Array.from(raw, (value, k) => lower[k % 2]! + ((upper[k % 2]! - lower[k % 2]!) * value) / 65535);
  return {
    frames: Number(facts["frames"]),
    bodies,
    exit: column_of(packet, "exit", bodies) as Int16Array,
    moment: column_of(packet, "moment") as Float32Array,
    way_first: column_of(packet, "way_first", bodies) as Int32Array,
    way_start: column_of(packet, "way_start", bodies + 1) as Uint32Array,
    way_place,
  };
}

// A disk that can move is a person.
export const is_person = (frame: Frame, body: number): boolean => frame.imposed[body] !== 1;
