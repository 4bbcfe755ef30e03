import { type Db, prepared } from "../../../../db/client.ts";
import type { FamilyKind, familySigns, StemPart } from "../../../../db/schema.ts";

type SignRow = typeof familySigns.$inferSelect;

type Pair = { one: string; other: string };
const ordered = (one: string, other: string): Pair =>
  one < other ? { one, other } : { one: other, other: one };

const signOf = prepared((db: Db) =>
  db.$client.prepare<Pick<SignRow, "state" | "rules" | "soundKind">, Pair>(
    "SELECT state, rules, sound_kind AS soundKind FROM family_signs WHERE track_id = $one AND other_id = $other",
  ),
);

/** Returns what is known of two tracks, in whichever order. */
export const findSign = (db: Db, one: string, other: string) =>
  signOf(db).get(ordered(one, other)) ?? undefined;

/** What speaks for a track being made from another one. */
export type NewSign = {
  askedId: string;
  /** The other one. */
  ofId: string;
  nameKind: FamilyKind | null;
  nameEditSec: number | null;
  namePart: StemPart | null;
  soundKind: SignRow["soundKind"];
  soundEditSec: number | null;
  /** Where the asked one begins in the other. */
  offsetMs: number | null;
  bitErrorRate: number | null;
  overlap: number | null;
  residualDb: number | null;
  residualVoice: number | null;
  rules: string;
  state: "open" | "joined";
  at: number;
};

const put = prepared((db: Db) =>
  db.$client.prepare<unknown, Record<string, string | number | null>>(
    `INSERT INTO family_signs (track_id, other_id, asked_id, name_kind, name_edit_sec, name_part, sound_kind, sound_edit_sec,
       offset_ms, bit_error_rate, overlap, residual_db, residual_voice, rules, state, found_at, decided_at)
     VALUES ($one, $other, $askedId, $nameKind, $nameEditSec, $namePart, $soundKind, $soundEditSec,
       $offsetMs, $bitErrorRate, $overlap, $residualDb, $residualVoice, $rules, $state, $at, iif($state = 'open', NULL, $at))
     ON CONFLICT (track_id, other_id) DO UPDATE SET asked_id = excluded.asked_id, name_kind = excluded.name_kind,
       name_edit_sec = excluded.name_edit_sec, name_part = excluded.name_part, sound_kind = excluded.sound_kind,
       sound_edit_sec = excluded.sound_edit_sec, offset_ms = excluded.offset_ms, bit_error_rate = excluded.bit_error_rate,
       overlap = excluded.overlap, residual_db = excluded.residual_db, residual_voice = excluded.residual_voice,
       rules = excluded.rules, state = excluded.state, found_at = iif(found_at = 0, excluded.found_at, found_at),
       decided_at = excluded.decided_at
     WHERE state <> 'refused' AND (state <> 'joined' OR excluded.state = 'joined')`,
  ),
);

/** Stores what speaks for two tracks. What its owner has refused, or said, stays. */
export function putSign(tx: Db, { askedId, ofId, offsetMs, ...sign }: NewSign): void {
  const pair = ordered(askedId, ofId);
  // Stored is where the second of the two begins in the first.
  const offset = offsetMs === null ? null : pair.other === askedId ? offsetMs : -offsetMs;
  put(tx).run({ ...pair, ...sign, askedId, offsetMs: offset });
}

const decide = prepared((db: Db) =>
  db.$client.prepare<unknown, Pair & { state: string; at: number }>(
    `UPDATE family_signs SET state = $state, decided_at = $at
     WHERE track_id = $one AND other_id = $other AND state = 'open' AND asked_id IS NOT NULL`,
  ),
);

/** Remembers the answer to an open question. Returns false when there is none. */
export const decideSign = (
  tx: Db,
  { askedId, ofId, state, at }: { askedId: string; ofId: string; state: "joined" | "refused"; at: number },
): boolean => decide(tx).run({ ...ordered(askedId, ofId), state, at }).changes > 0;
