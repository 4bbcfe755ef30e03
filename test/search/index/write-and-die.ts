import { openDb } from "../../../db/client.ts";
import { randomFrom } from "../../../src/demo/dsp/random.ts";
import { changeSomething, keepIndex, OWNERS } from "./file-library.ts";

// A process that changes a library and writes its index file again and again, until it is killed.
const [path = "", seed = ""] = Bun.argv.slice(2);
const library = { db: openDb(path) };
library.db.$client.run("PRAGMA synchronous = OFF");
const random = randomFrom(seed);
for (;;) {
  for (let change = 0; change < 10; change++) changeSomething(library, random);
  const writing = keepIndex(library, OWNERS[0]);
  process.stdout.write("writing\n");
  await writing;
}
