import { readSettings } from "../../src/config.ts";
import { openLibrary } from "../../src/library.ts";
import { resealAll } from "../../src/sealed.ts";
import { rotateSecret } from "../../src/store/rotation.ts";

// Rotates the master secret of a library, and is killed after the step that its argument names.
const [fatal] = process.argv.slice(2);
const deps = openLibrary(readSettings(Bun.env), process.stderr);
rotateSecret(deps, resealAll, (step) => {
  if (step === fatal) process.kill(process.pid, "SIGKILL");
});
throw new Error(`There is no step ${fatal}`);
