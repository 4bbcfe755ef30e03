import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { blobPath } from "../../src/blobs/store.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { closeLibrary } from "../../src/library.ts";
import { createAccount } from "../../src/modules/people/accounts/service.ts";
import { openLibraryIn } from "../bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "../bench/processes.ts";
import { makeSound } from "../chaos/sounds.ts";
import { BROWSER_ARGUMENTS } from "../find-browser.ts";

const ACCOUNT = { email: "mara@example.com", name: "Mara", password: "correct horse battery" };
const PER_FOLDER = 25;
/** A file that is no music lies beside so many songs. */
const OTHER_EVERY = 20;
const POLL_MS = 50;
const ARRIVED_TIMEOUT_MS = 20 * 60_000;

/** What the flow measured, in milliseconds where nothing else is said. */
export type FolderFigures = {
  files: number;
  megabytes: number;
  /** From each drop to the list of files. */
  listed: number[];
  /** The longest time between two frames while files were sent, and that which one in a hundred was longer than. */
  longestFrame: number;
  frame99: number;
  seconds: number;
  tracks: number;
  /** Files of the folder that the library lacks. */
  missing: number;
  /** Files left in the server's folder of uploads. */
  leftOver: number;
};

/**
 * Drops a folder on the console in a browser, reloads the page twice, kills the server once, and says what arrived. After
 * a reload the folder is dropped again, as the page asks. `isHeld`: a few files are held back until after the last reload, so
 * that something is on its way at each, however few the files and however fast they are sent.
 */
export async function uploadFolder(
  browserPath: string,
  { files, say, isHeld = false }: { files: number; say: (text: string) => void; isHeld?: boolean },
): Promise<FolderFigures> {
  const folder = temporaryFolder("folder");
  const [dataDir, music] = [join(folder, "data"), join(folder, "Demos")];
  const hashes = makeFolder(music, files);
  const deps = openLibraryIn(dataDir);
  await createAccount(deps, ACCOUNT);
  closeLibrary(deps);
  const port = freePort();
  const serve = () => spawnDubplate({ dataDir, port, log: join(folder, "log") });
  let server = serve();
  await server.healthy();
  const browser = await chromium.launch({ executablePath: browserPath, args: [...BROWSER_ARGUMENTS] });
  try {
    const desk = await openDesk(browser, server.address);
    const allow = isHeld ? await holdBack(desk.page) : () => undefined;
    const startedAt = performance.now();
    allow(Math.floor(files / 4) + HELD_AHEAD);
    const listed = [await desk.drop(music, files)];
    for (const [share, what] of [
      [0.25, "reload"],
      [0.5, "kill"],
      [0.75, "reload"],
    ] as const) {
      await desk.arrived(Math.floor(files * share));
      say(`${await desk.text()}: ${what}`);
      const next = share < 0.75 ? Math.floor(files * (share + 0.25)) + HELD_AHEAD : files;
      if (what === "reload") {
        await desk.reload();
        allow(next);
        listed.push(await desk.drop(music, files));
      } else {
        allow(next);
        await server.kill();
        server = serve();
        await server.healthy();
      }
    }
    await desk.arrived(files);
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      files,
      megabytes: Math.round([...hashes.values()].reduce((sum, bytes) => sum + bytes, 0) / 1e5) / 10,
      listed,
      ...desk.frames(),
      seconds: Math.round(seconds * 10) / 10,
      ...lookInto(dataDir, hashes),
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Makes a folder with songs in folders three levels deep. Returns their sizes by SHA-256. */
function makeFolder(music: string, files: number): Map<string, number> {
  const random = randomFrom("folder");
  const hashes = new Map<string, number>();
  for (let index = 0; index < files; index++) {
    const place = Math.floor(index / PER_FOLDER);
    const inside = join(music, `Year ${place % 4}`, `Album ${place}`);
    mkdirSync(inside, { recursive: true });
    const { filename, bytes, sha256 } = makeSound(`Piece ${String(index).padStart(4, "0")}.wav`, random);
    writeFileSync(join(inside, filename), bytes);
    hashes.set(sha256, bytes.length);
    if (index % OTHER_EVERY === 0) writeFileSync(join(inside, `notes ${index}.txt`), "notes");
  }
  return hashes;
}

/** So many files more than are waited for may be on their way. */
const HELD_AHEAD = 3;

/** Lets only so many files of a page reach the server as the returned function says; one that began may go on. */
async function holdBack(page: Page): Promise<(files: number) => void> {
  const begun = new Set<string>();
  let [allowed, changed] = [0, Promise.withResolvers<void>()];
  await page.route("**/app/uploads", async (route) => {
    const name = route.request().headers()["upload-metadata"] ?? "";
    while (!begun.has(name) && begun.size >= allowed) await changed.promise;
    begun.add(name);
    // The page may have been loaded again meanwhile.
    await route.continue().catch(() => undefined);
  });
  return (files) => {
    allowed = files;
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
}

async function openDesk(browser: Browser, address: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, baseURL: address });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  // The page warns that bytes are not sent yet.
  page.on("dialog", (dialog) => void dialog.accept());
  await page.addInitScript(WATCH_FRAMES);
  await page.goto("/signin?next=/library");
  await page.getByRole("textbox", { name: "E-mail" }).fill(ACCOUNT.email);
  await page.getByLabel("Password").fill(ACCOUNT.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
  const session = await context.newCDPSession(page);
  const tray = page.getByRole("region", { name: "Uploads" });
  const gaps: number[] = [];
  const takeFrames = async () => void gaps.push(...((await page.evaluate("window.gaps")) as number[]));
  return {
    page,
    drop: (path: string, files: number) => drop(page, session, path, files),
    text: () => tray.getByRole("status").textContent(),
    /** Waits until so many files are in the library. */
    arrived: async (count: number) => {
      await until(page, `Number(/^(\\d+) of/.exec(${STATUS})?.[1]) >= ${count}`);
      await takeFrames();
      if (errors.length > 0) throw new Error(errors.join("\n"));
    },
    reload: async () => {
      await page.reload();
      await page.getByText("on the way when the page closed").waitFor();
    },
    frames: () => {
      const sorted = gaps.toSorted((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
      return { longestFrame: at(1), frame99: at(0.99) };
    },
  };
}

/** A reload waits for a server that is busy with what was sent. */
const PATIENCE_MS = 120_000;

/** Runs in the page: notes the time between frames from a drop on, and when the list of files shows. */
const WATCH_FRAMES = `
  window.gaps = [];
  let last = 0;
  const onFrame = (at) => {
    if (window.droppedAt !== undefined && last > 0) window.gaps.push(at - last);
    last = at;
    if (window.droppedAt !== undefined && window.listedAt === undefined && document.querySelector(".tray-line"))
      window.listedAt = performance.now();
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  addEventListener("drop", () => { window.droppedAt = performance.now(); }, { capture: true });
`;
const STATUS = `(document.querySelector(".tray [role=status]")?.textContent ?? "")`;

/** Waits until an expression is true in the page. Its policy forbids the waiting that the browser's driver offers. */
async function until(page: Page, expression: string): Promise<void> {
  const endsAt = performance.now() + ARRIVED_TIMEOUT_MS;
  while (!(await page.evaluate(expression))) {
    if (performance.now() > endsAt) throw new Error(`This did not become true in time: ${expression}`);
    await Bun.sleep(POLL_MS);
  }
}

/** Drops a folder on the page as a person does. Returns the milliseconds until all of its files are on the list. */
async function drop(page: Page, session: CDPSession, path: string, files: number): Promise<number> {
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 400, data });
  await until(page, `${STATUS}.endsWith(" of ${files} uploaded") && window.listedAt !== undefined`);
  return Math.round(Number(await page.evaluate("window.listedAt - window.droppedAt")));
}

function lookInto(
  dataDir: string,
  hashes: ReadonlyMap<string, number>,
): Pick<FolderFigures, "tracks" | "missing" | "leftOver"> {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const tracks = db.query<{ count: number }, []>("SELECT count(*) AS count FROM tracks").get()?.count ?? 0;
  const rows = db.query<{ sha256: string }, []>("SELECT sha256 FROM versions").all();
  db.close();
  const there = new Set(rows.map(({ sha256 }) => sha256));
  const isKept = (sha256: string) =>
    there.has(sha256) && Bun.file(blobPath({ dataDir }, sha256)).size === hashes.get(sha256);
  const missing = [...hashes.keys()].filter((sha256) => !isKept(sha256)).length;
  return { tracks, missing, leftOver: readdirSync(join(dataDir, "uploads")).length };
}
