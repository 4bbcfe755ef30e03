import { MediaError } from "../../../media/media-error.ts";
import { readAiff } from "../../../media/retag/aiff.ts";
import { readWav } from "../../../media/retag/wav-chunks.ts";
import { withFile } from "../../../media/view/file-window.ts";
import type { MarkTask } from "./mark-child.ts";

type WholeFile = Exclude<MarkTask["source"], { is: "floats" }>;

/**
 * Returns where the sound of a file ends, and its last chunk: what is behind that belongs to nobody, and does not leave with a copy.
 *
 * @throws MediaError when the file is not built as its format wants: sound in two places would leave unmarked.
 */
export function soundOfFile(path: string, container: "wav" | "aiff"): Promise<WholeFile> {
  return withFile(path, async (file) => {
    if (container === "wav") {
      const { data, rest } = await readWav(file);
      return { is: "wav", soundEnd: data.end, fileEnd: Math.min(file.sizeBytes, rest.start) };
    }
    const { chunks, restStart } = await readAiff(file);
    const sound = chunks.find(({ id }) => id === "SSND");
    if (!sound) throw new MediaError("corrupt", "no sound");
    return { is: "aiff", soundEnd: sound.end, fileEnd: restStart };
  });
}
