import { computed, type ReadonlySignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Clock } from "../clock.ts";
import type { Draft } from "../draft.ts";
import type { Round, SheetProps, Version } from "../queries.ts";
import { loaded, play, toPlay } from "../sound.ts";

/** What every part of the round works with. */
export type Desk = SheetProps & {
  round: Round;
  /** The version of the round. */
  version: Version;
  draft: Draft;
  /** Where the player is. Moving it has it play the version of the round. */
  clock: Clock;
  /** The version whose seconds the player counts. */
  heardId: ReadonlySignal<string | undefined>;
};

type Of = SheetProps & { clock: Clock; draft: Draft; active: Version | undefined };

/** Puts together what the parts of a round work with. */
export function useDesk({ active, ...sheet }: Of, round: Round | undefined): Desk | undefined {
  const { track, title, versions, clock } = sheet;
  const heardId = useMemo(
    () => computed(() => (loaded.value?.trackId === track.id ? loaded.value.versionId : active?.id)),
    [track.id, active?.id],
  );
  const version = versions.find(({ id }) => id === round?.versionId);
  if (!round || !version) return undefined;
  const moveTo = (sec: number) => {
    if (heardId.peek() === version.id) clock.moveTo(sec);
    else play(toPlay(track, title, version.id), sec);
  };
  return { ...sheet, round, version, heardId, clock: { ...clock, moveTo } };
}
