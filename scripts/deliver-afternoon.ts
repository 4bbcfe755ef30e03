/**
 * An album from nothing to a store: twelve masters are dropped as a folder, everything that is missing is mended from the page that
 * says so, and the package is opened with other programs.
 *
 * usage: bun scripts/deliver-afternoon.ts [--pictures FOLDER]
 *   --pictures  also takes pictures of every step, in the light and in the dark
 *
 * Exit 1 when something cannot be mended from its page, the package is not whole, a reader does not find what was typed, or a browser
 * wrote an error to its console. unzip, sha256sum, ffmpeg and exiftool are used where they are; those that are not are named.
 */
import "./support/help.ts";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { mixPiece } from "../src/demo/mix.ts";
import { DEMO_PIECES } from "../src/demo/pieces.ts";
import { encodeWav } from "../src/demo/wav.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, createAccount } from "../src/modules/people/accounts/service.ts";
import { picture as picturePixels } from "../test/support/pictures.ts";
import { createStage } from "./afternoon/stage.ts";
import { openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const ALBUM = "Night Drive";
const ARTIST = "The Night Label";
const RECIPIENT = "A store";
/** More than there can be to mend. */
const MOST_STEPS = 150;
const SETTLED_MS = 3000;

const folder = temporaryFolder("deliver-afternoon");
const dataDir = join(folder, "data");
const token = await prepare();
const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
await server.healthy();
const { faults, person, picture, play } = createStage(() => server.address);
let isrcs = 0;

await play(afternoon, () => server.stop());

async function afternoon(): Promise<void> {
  const ana = await person("Ana", token, { acceptDownloads: true });
  await bringAlbum(ana);
  await openDelivery(ana);
  await mendAll(ana);
  const archive = await makePackage(ana);
  openPackage(archive);
  await lookAtDeliveries(ana);
}

async function prepare(): Promise<string> {
  const deps = openLibraryIn(dataDir);
  const password = "correct horse battery";
  const account = await createAccount(deps, { email: "ana@example.com", name: "Ana", password });
  const session = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  closeLibrary(deps);
  return session.token;
}

/** Twelve masters come as a folder, which becomes an album. */
async function bringAlbum(page: Page): Promise<void> {
  const album = join(folder, ALBUM);
  mkdirSync(album);
  for (const [at, piece] of DEMO_PIECES.entries())
    writeFileSync(
      join(album, `${String(at + 1).padStart(2, "0")} - ${piece.title}.wav`),
      encodeWav(mixPiece(piece), []),
    );
  await page.goto("/library/uploads");
  await page.locator("input[webkitdirectory]").first().setInputFiles(album);
  await page
    .getByText(/12 of 12|12 tracks|Uploaded/)
    .first()
    .waitFor();
  await untilIdle(dataDir);
  await page.goto("/library/albums");
  await page.getByRole("link", { name: ALBUM }).first().click();
  await page.getByRole("heading", { level: 1, name: ALBUM }).waitFor();
  await picture(page, "album");
}

/** The album's menu leads to the page on which it is delivered. */
async function openDelivery(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^More actions/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Deliver…" }).click();
  await page.getByRole("heading", { level: 1, name: `Deliver ${ALBUM}` }).waitFor();
  await page.getByRole("radio", { name: "Store or distributor" }).check();
  await page.getByRole("textbox", { name: "Recipient" }).fill(RECIPIENT);
  await page.getByRole("list", { name: "What is missing" }).waitFor();
  await picture(page, "missing");
}

/** Mends what is missing from the page itself, until nothing must or should be mended that can be typed or chosen. */
async function mendAll(page: Page): Promise<void> {
  const list = page.getByRole("list", { name: "What is missing" });
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = list
      .getByRole("button", { name: /^(Type it|Choose it|State it|Change cover|Enter shares)/ })
      .first();
    // What is mended is read again, which takes a moment.
    if (
      !(await next.waitFor({ timeout: SETTLED_MS }).then(
        () => true,
        () => false,
      ))
    )
      break;
    const verb = (await next.textContent()) ?? "";
    const before = await list.getByRole("button").count();
    if (verb.startsWith("Change cover")) await changeCover(page, next);
    else {
      await next.click();
      await fillDialog(page.getByRole("dialog").last());
    }
    const until = performance.now() + 10_000;
    while ((await list.getByRole("button").count()) === before && performance.now() < until)
      await Bun.sleep(50);
  }
  const left =
    (await page
      .getByText(/must be mended/)
      .first()
      .textContent()) ?? "";
  console.log(left);
  if (!left.startsWith("0 must") && !left.startsWith("Nothing must")) faults.push(`After mending: ${left}`);
  await picture(page, "mended");
}

async function changeCover(page: Page, button: Locator): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button.click()]);
  const cover = join(folder, "cover.jpg");
  writeFileSync(cover, await picturePixels("jpeg", { width: 3000, height: 3000, grey: 60 }));
  await chooser.setFiles(cover);
}

/** Fills what a dialog asks for, as somebody does who knows it. */
async function fillDialog(dialog: Locator): Promise<void> {
  const also = dialog.getByRole("checkbox", { name: /^Also for/ });
  if ((await also.count()) > 0) await also.check();
  for (const select of await dialog.getByRole("combobox").all()) {
    const options = await select.locator("option").allTextContents();
    const wanted = options.find((each) => /^(No AI|Not explicit)$/.test(each));
    if (wanted !== undefined) await select.selectOption({ label: wanted });
  }
  for (const box of await dialog.getByRole("textbox").all()) {
    const label = (await box.getAttribute("aria-label")) ?? (await labelOf(box));
    const value = valueFor(label);
    if (value === undefined) faults.push(`Nobody knows what to type into “${label}”`);
    else if ((await box.inputValue()) === "" || label === "ISRC") await box.fill(value);
  }
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
}

function labelOf(box: Locator): Promise<string> {
  return box.evaluate(
    (element) => (element as { labels?: { textContent: string }[] }).labels?.[0]?.textContent ?? "",
  );
}

function valueFor(label: string): string | undefined {
  if (label.startsWith("ISRC")) {
    isrcs++;
    return `QZNL126${String(isrcs).padStart(5, "0")}`;
  }
  const known: readonly [RegExp, string][] = [
    [/artist/i, ARTIST],
    [/label/i, ARTIST],
    [/P line|phonogram|℗/i, `2026 ${ARTIST}`],
    [/C line|copyright|©/i, `2026 ${ARTIST}`],
    [/UPC|barcode/i, "4006381333931"],
    [/release date/i, "2026-12-04"],
    [/genre/i, "Electronic"],
    [/language/i, "en"],
  ];
  return known.find(([pattern]) => pattern.test(label))?.[1];
}

/** The package is made and saved. */
async function makePackage(page: Page): Promise<string> {
  await picture(page, "what-goes-in");
  const make = page.getByRole("button", { name: /^(Make the package|Deliver anyway)$/ });
  const [download] = await Promise.all([page.waitForEvent("download"), make.click()]);
  const path = join(folder, "package.zip");
  await download.saveAs(path);
  await page
    .getByText(/made|done|whole/i)
    .first()
    .waitFor();
  await picture(page, "made");
  return path;
}

/** Other programs open it: the archive is whole, every hash holds, the files say what was typed, and the proofs are valid. */
function openPackage(archive: string): void {
  const place = join(folder, "opened");
  if (textOf("unzip", ["-q", archive, "-d", place]) === undefined) return;
  const root = join(place, readdirSync(place)[0] ?? "");
  textOf("sha256sum", ["-c", "--quiet", "SHA256SUMS"], root);
  const audio = namesIn(root, "audio", ".wav");
  if (audio.length !== DEMO_PIECES.length) faults.push(`There are ${audio.length} files in audio/`);
  for (const name of audio) checkTags(join(root, "audio", name));
  for (const name of namesIn(root, "papers", ".csv")) {
    const lines = readFileSync(join(root, "papers", name), "utf8")
      .trim()
      .split("\r\n");
    console.log(`${name}: ${lines.length} lines`);
  }
  const proofs = namesIn(root, "proof", ".json");
  if (proofs.length !== DEMO_PIECES.length) faults.push(`There are ${proofs.length} proofs`);
  for (const name of proofs) textOf("node", ["ledger-verify.mjs", name], join(root, "proof"));
  console.log(`${statSync(archive).size} bytes, ${audio.length} files, ${proofs.length} proofs`);
}

function namesIn(root: string, name: string, ending: string): string[] {
  return readdirSync(join(root, name)).filter((each) => each.endsWith(ending));
}

function checkTags(file: string): void {
  const said =
    textOf("exiftool", ["-a", "-G1", "-s", file]) ?? textOf("ffprobe", ["-v", "error", "-show_format", file]);
  if (said === undefined) return;
  for (const wanted of [ARTIST, ALBUM, "QZNL126"])
    if (!said.includes(wanted)) faults.push(`${basename(file)} does not say ${wanted}`);
}

/** Runs a program of others, and returns what it prints; undefined when it is not here. What it refuses is a fault. */
function textOf(program: string, args: string[], cwd = folder): string | undefined {
  if (Bun.which(program) === null) {
    console.log(`${program} is not here: not tried`);
    return undefined;
  }
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], { cwd });
  if (exitCode !== 0) faults.push(`${program} ${args.at(-1)}: ${stderr}${stdout}`.trim().slice(0, 300));
  return String(stdout);
}

async function lookAtDeliveries(page: Page): Promise<void> {
  await page.goto("/library/deliveries");
  await page.getByRole("table", { name: "Deliveries" }).getByText(RECIPIENT).waitFor();
  await picture(page, "deliveries");
  const again = page.getByRole("button", { name: /^Same again/ });
  const [download] = await Promise.all([page.waitForEvent("download"), again.click()]);
  await download.saveAs(join(folder, "again.zip"));
}
