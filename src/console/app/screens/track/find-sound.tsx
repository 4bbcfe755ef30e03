/** @jsxRuntime automatic @jsxImportSource preact */
import { findSound, LEAST_SEC } from "../../actions/find-sound.ts";
import type { Span } from "../../player/ab.ts";
import { Button } from "../../ui/button.tsx";
import { useCommands } from "../../ui/keys.ts";

const NAME = "Find this sound";

/** Searches for what sounds like a part of a track that ends at `endSec`. */
export function FindSound({ trackId, span, endSec }: { trackId: string; span: Span; endSec: number }) {
  const canFind = endSec >= LEAST_SEC;
  const run = () => findSound(trackId, span, endSec);
  useCommands(canFind ? [{ id: "find-sound", name: NAME, run }] : []);
  if (!canFind) return null;
  return (
    <Button look="quiet small" icon="search" run={run}>
      {NAME}
    </Button>
  );
}
