/**
 * Writes a mail of every kind into a folder, as it goes out: the whole mail (.eml), its text, and pictures of its HTML, 600 and 320 px wide, light
 * and dark. Spam filters and other programs can be tried on the .eml files.
 *
 * usage: bun scripts/letters.ts FOLDER
 * Exit 1 when axe finds something in a mail, or it would scroll sideways.
 */
import "./support/help.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { openTransport } from "../src/modules/mail/outbox/sending/transport.ts";
import { type Written, writeLetters } from "../test/support/letters.ts";
import { faultsOf } from "./console-pictures/checks.ts";
import { BROWSER_ARGUMENTS, findBrowser } from "./find-browser.ts";

const WIDTHS_PX = [600, 320];
const SCHEMES = ["light", "dark"] as const;

const [folder] = Bun.argv.slice(2);
const executablePath = findBrowser();
if (folder === undefined) throw new Error("usage: bun scripts/letters.ts FOLDER");
if (executablePath === undefined) throw new Error("There is no Chromium: bun scripts/browser.ts");
mkdirSync(folder, { recursive: true });

const relay = {
  host: "127.0.0.1",
  port: 1,
  isTls: false,
  needsTls: false,
  user: undefined,
  password: undefined,
};
const from = { name: "Dubplate", address: "music@label.example" };
const transport = await openTransport({ ...relay, from, perDay: 1 });
const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] });
const page = await browser.newPage();
let faults = 0;
for (const letter of await writeLetters()) {
  const path = join(folder, letter.name.replaceAll(" ", "-"));
  const to = { email: "anna@example.com", name: "Anna Berg" };
  const { subject, content } = letter;
  const id = `mail_${letter.name.replaceAll(" ", "")}`;
  await Bun.write(`${path}.eml`, await transport.build({ id, to, subject, at: Date.now(), content }));
  await Bun.write(`${path}.txt`, content.text);
  for (const fault of await takePictures(page, letter, path)) {
    console.log(`${letter.name}: ${fault}`);
    faults++;
  }
}
await browser.close();
process.exit(faults === 0 ? 0 : 1);

async function takePictures(page: Page, { content }: Written, path: string): Promise<string[]> {
  const { html, logo } = content;
  const found: string[] = [];
  for (const width of WIDTHS_PX)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 400 });
      await page.emulateMedia({ colorScheme });
      await page.setContent(html.replaceAll("cid:logo", `data:${logo?.type};base64,${logo?.base64}`));
      await page.screenshot({ path: `${path}-${width}-${colorScheme}.png`, fullPage: true });
      const faults = await faultsOf(page, colorScheme === "dark", false);
      found.push(...faults.map((fault) => `${width} px, ${colorScheme}: ${fault}`));
    }
  return found;
}
