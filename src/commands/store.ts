import { moveToBucket, moveToDisk, type Relocated } from "../blobs/relocate.ts";
import { lockLibrary } from "../library.ts";
import { type Command, RefusedError } from "./command.ts";

/** `store move`: moves the originals between the data folder and the bucket. */
export const moveStore: Command<"store move"> = async ({ open, settings, options, print, say }) => {
  if (!settings.bucket) throw new RefusedError("BLOB_STORE is not set: name the bucket to move to or from");
  const deps = open();
  if (options.to === undefined) return conclude(await moveToBucket(deps), print, say);
  const lock = lockLibrary(settings);
  if (!lock)
    throw new RefusedError("A server uses the library: stop it first, or new files go on to the bucket");
  try {
    conclude(await moveToDisk(deps), print, say);
    say("The audio is in DATA_DIR: start the server without BLOB_STORE. The bucket was not changed");
  } finally {
    lock.release();
  }
};

function conclude(
  { files, bytes, faulty }: Relocated,
  print: (data: object) => void,
  say: (text: string) => void,
): void {
  for (const sha256 of faulty) say(`${sha256} is missing or damaged, and stays where it is`);
  print({ files, bytes, faulty: faulty.length });
  if (faulty.length > 0) throw new RefusedError(`${faulty.length} files were not moved: run dubplate verify`);
}
