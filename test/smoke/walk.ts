import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Webhook } from "standardwebhooks";
import { version } from "../../package.json" with { type: "json" };
import { COMMAND_NAMES, NOUNS } from "../../src/command-line/commands.ts";
import { SHELLS } from "../../src/command-line/program.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { BROWSER_PATH, openWindow, startBrowser } from "../pages/browser.ts";
import { createDevice } from "../signin/device.ts";
import type { Json } from "../support/app.ts";
import { demoFile } from "../support/demo-file.ts";
import { receiveMails } from "../support/mail-receiver.ts";
import { flacWithPicture, mp3WithPicture, picture } from "../support/pictures.ts";
import { createProgram, type WayIn } from "../support/process.ts";
import { startCommand } from "../support/running-command.ts";
import { unzipped } from "../support/unzipped.ts";

const EMAIL = "me@example.com";
const PASSWORD = "a long enough password";
const LOOK_EVERY_MS = 100;
const HAS_FFMPEG = Bun.which("ffmpeg") !== null;
const fixture = (name: string) => Bun.file(join(import.meta.dir, "../fixtures", name)).bytes();

/** Commands to call here, and what they print; the others are called further down. */
const COMMANDS: readonly [args: string[], prints: object][] = [
  [["account", "list"], { email: EMAIL, active: true }],
  [["account", "create", "--email", "b@example.com", "--name", "B", "--password", PASSWORD], { name: "B" }],
  [["session", "create", "--email", EMAIL], { token: expect.any(String) }],
  [["platform-key", "create", "--name", "P", "--scopes", "platform:read:accounts", "--days", "2"], {}],
  [["platform-key", "list"], { name: "P" }],
  [["credits", "set", "--email", EMAIL, "--amount", "5"], { credits: 5 }],
  [["credits", "add", "--email", EMAIL, "--amount", "2"], { credits: 7 }],
  [["doctor"], { check: "runtime", ok: true }],
  [["--version"], { version }],
];

/**
 * Goes through everything that a musician, a visitor, a script and an assistant do, with the installed program. No
 * part of it runs in this process.
 *
 * @param playsDemo False: the demo, which takes a minute, is left to another way in.
 */
export function walk(
  name: string,
  prepare: () => { way: WayIn; remove: () => void },
  { playsDemo = true }: { playsDemo?: boolean } = {},
): void {
  describe(name, () => {
    let way: WayIn;
    let remove = () => {};
    let program: ReturnType<typeof createProgram>;
    let server: Awaited<ReturnType<typeof program.serve>>;
    let cookie = "";
    let key = "";
    let songId = "";
    let piece: Uint8Array<ArrayBuffer>;
    let untaggedPiece: Uint8Array<ArrayBuffer>;
    const pictures = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async () => new Response(new Uint8Array(await picture("png", { grey: 90 }))),
    });

    beforeAll(async () => {
      ({ way, remove } = prepare());
      const [demoPiece] = DEMO_PIECES;
      const untagged = DEMO_PIECES.find(({ tags }) => tags.length === 0);
      if (!demoPiece || !untagged) throw new Error("There is no piece to upload");
      piece = await demoFile(demoPiece);
      untaggedPiece = await demoFile(untagged);
      program = createProgram({ NETWORK_ALLOW: "127.0.0.1", RATE_LIMIT: "0" }, way);
      server = await program.serve();
    });
    afterAll(async () => {
      await pictures.stop(true);
      await program.close();
      remove();
    });

    /** Calls the API with the key, or with the session of the set-up page. */
    const call = async (method: string, path: string, body?: object): Promise<Json> => {
      const isForm = body instanceof FormData;
      const response = await fetch(`${server.address}${path}`, {
        method,
        headers: {
          ...(path.startsWith("/api/") ? { "x-api-key": key } : { cookie, origin: server.address }),
          ...(body && !isForm && { "content-type": "application/json" }),
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      });
      const answer = (await response.json()) as Json;
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return answer.data;
    };
    const trackOf = async (id: string): Promise<Json> =>
      (await call("GET", `/api/v1/tracks/single?id=${id}`)).track;
    const untilListenedTo = async (id: string): Promise<Json> => {
      for (;;) {
        const track = await trackOf(id);
        if (["completed", "failed"].includes(track.analysis.status)) return track;
        await Bun.sleep(LOOK_EVERY_MS);
      }
    };
    const upload = async (files: readonly (readonly [string, Uint8Array<ArrayBuffer>])[]) => {
      const form = new FormData();
      for (const [fileName, bytes] of files) form.append("files", new File([bytes], fileName));
      const { uploaded } = await call("POST", "/api/v1/tracks/upload", form);
      return uploaded.map(({ id }: { id: string }) => id) as string[];
    };

    test("the set-up page creates the first account with the printed code and signs it in", async () => {
      const [, setupCode = ""] = await server.says(/Set-up code for the first account: (\S+)/);
      const page = await (await fetch(`${server.address}/setup`)).text();
      const response = await fetch(`${server.address}/setup`, {
        method: "POST",
        redirect: "manual",
        headers: { origin: server.address },
        body: new URLSearchParams({ email: EMAIL, name: "Me", password: PASSWORD, setupCode }),
      });
      cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
      const home = await (await fetch(server.address, { headers: { cookie } })).text();

      expect(page).toContain("Set up your library");
      expect(response.status).toBe(303);
      expect(home).toContain(EMAIL);
    });

    test("the owner signs in on the page and creates a key", async () => {
      const response = await fetch(`${server.address}/signin`, {
        method: "POST",
        redirect: "manual",
        headers: { origin: server.address },
        body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
      });
      const made = await program.run(["key", "create", "--email", EMAIL, "--name", "smoke"]);
      key = String(made.rows[0]?.key);

      expect(response.headers.get("set-cookie")).toContain("HttpOnly");
      expect(await call("GET", "/api/v1/tracks/count")).toEqual({ count: 0 });
    });

    test("a passkey is added, and signs its person in", async () => {
      const origin = "http://localhost:4747";
      const other = createProgram({ PASSKEYS: "on", PUBLIC_URL: origin, RATE_LIMIT: "0" }, way);
      const { address, says } = await other.serve();
      const [, setupCode = ""] = await says(/Set-up code for the first account: (\S+)/);
      const device = await createDevice(origin);
      const post = async (path: string, body?: object, token?: string): Promise<Json> => {
        const response = await fetch(address + path, {
          method: "POST",
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(body && { "content-type": "application/json" }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        return ((await response.json()) as Json).data;
      };
      const { token } = await post("/auth/register", {
        email: EMAIL,
        name: "Me",
        password: PASSWORD,
        setupCode,
      });

      const asked = await post("/app/account/passkeys/options", undefined, token);
      const made = device.create(asked.options.challenge);
      await post("/app/account/passkeys", { flow: asked.flow, credential: made, name: "Laptop" }, token);
      const { flow, options } = await post("/auth/passkey/options");
      const signedIn = await post("/auth/passkey", {
        flow,
        credential: await device.sign(options.challenge),
      });
      await other.close();

      expect(signedIn.user.email).toBe(EMAIL);
    });

    test("a forgotten password is asked for, and its mail leaves by the relay that doctor knows", async () => {
      const relay = await receiveMails();
      const other = createProgram(
        {
          SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
          MAIL_FROM: "Night Label <music@label.example>",
          PUBLIC_URL: "https://music.label.example",
          NETWORK_ALLOW: "127.0.0.1",
        },
        way,
      );
      const { address, says } = await other.serve();
      const [, setupCode = ""] = await says(/Set-up code for the first account: (\S+)/);
      const post = (path: string, body: object) =>
        fetch(address + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      await post("/auth/register", { email: EMAIL, name: "Me", password: PASSWORD, setupCode });
      await post("/auth/reset-request", { email: EMAIL });
      while (relay.received.length === 0) await Bun.sleep(LOOK_EVERY_MS);
      const { rows } = await other.run(["doctor"]);
      await other.close();
      await relay.close();

      const [mail] = relay.received;
      expect([mail?.to, relay.received.length]).toEqual([EMAIL, 1]);
      expect(mail?.source).toContain("https://music.label.example/reset?token=");
      expect(mail?.source).toContain("text/html");
      expect(rows).toContainEqual(
        expect.objectContaining({ check: "mail", ok: true, found: `127.0.0.1:${relay.port} answers` }),
      );
    });

    test("wav, mp3 and m4a are analysed, and embedded covers are shown", async () => {
      const cover = await picture("jpeg", { width: 300, height: 300 });
      const [wav = "", mp3 = "", flac = "", m4a = ""] = await upload([
        ["night-bus.wav", piece],
        ["tone.mp3", mp3WithPicture(await fixture("tone.mp3"), cover)],
        ["tone.flac", flacWithPicture(await fixture("tone.flac"), cover)],
        ["tone.m4a", new Uint8Array(await fixture("tone-aac.m4a"))],
      ]);
      songId = wav;

      const song = await untilListenedTo(wav);
      const aac = await untilListenedTo(m4a);

      expect(song.analysis.status).toBe("completed");
      expect(song.audio_profile.durationSec).toBeGreaterThan(15);
      for (const id of [mp3, flac]) {
        const { analysis, audio_profile } = await untilListenedTo(id);
        expect(analysis.status).toBe("completed");
        expect((await fetch(audio_profile.cover)).headers.get("content-type")).toBe("image/jpeg");
      }
      expect([aac.analysis.status, aac.analysis.code ?? null]).toEqual(
        HAS_FFMPEG ? ["completed", null] : ["failed", "needs_ffmpeg"],
      );
    });

    test.each([
      ["in base64", async () => ({ base64: (await picture("webp")).toString("base64") })],
      ["by its address", async () => ({ url: `http://127.0.0.1:${pictures.port}/cover.png` })],
    ])("a cover is set %s", async (_, source) => {
      const { url } = await call("POST", "/api/v1/tracks/cover-art", {
        trackId: songId,
        ...(await source()),
      });

      const shown = await fetch(url);
      expect(shown.headers.get("content-type")).toStartWith("image/");
      expect((await new Bun.Image(await shown.bytes()).metadata()).width).toBe(60);
      expect((await trackOf(songId)).audio_profile.cover).toBe(url);
    });

    test("a song is delivered to a store in a new file, with a proof that holds without the server", async () => {
      const folder = mkdtempSync(join(tmpdir(), "dubplate-delivery-"));
      const file = join(folder, "package.zip");
      const deliver = ["deliver", "--email", EMAIL, "--profile", "store", "--track", songId, file];
      const made = await program.run(deliver);
      const again = await program.run(deliver);
      const proof = join(folder, "proof.json");
      const proved = await program.run(["ledger", "prove", "--email", EMAIL, songId, "-o", proof]);
      const checked = await program.show(["ledger", "verify", proof]);
      const planned = await call("POST", "/app/deliveries", {
        where: { ids: [songId] },
        profile: "store",
        name: "A",
      });

      expect([made.code, again.code, proved.code, checked.code]).toEqual([0, 1, 0, 0]);
      expect(again.stderr).toContain("exists");
      const paths = made.rows.map(({ path }) => String(path).replace(/^[^/]+\//, ""));
      expect(paths.at(-1)).toBe("SHA256SUMS");
      expect(paths).toContain("proof/ledger-verify.mjs");
      expect(paths.filter((path) => path.startsWith("audio/"))).toHaveLength(1);
      const packed = unzipped(readFileSync(file)).map(({ name }) => name);
      expect(packed).toEqual(made.rows.map(({ path }) => String(path)));
      expect(planned.tree.length).toBe(paths.length);
      rmSync(folder, { recursive: true });
    });

    test("a search finds the song by its description", async () => {
      const { audio_profile: profile } = await trackOf(songId);

      const found = await call("POST", "/api/v1/tracks/search", {
        query: `something around ${Math.round(profile.bpm)} bpm`,
      });

      expect(found.results.map(({ id }: { id: string }) => id)).toContain(songId);
    });

    test.skipIf(!BROWSER_PATH)("the shared song plays in a browser", async () => {
      const { url } = await call("POST", "/app/shares", { trackId: songId });
      const browser = await startBrowser();
      const { page, errors, foreign } = await openWindow(browser, server.address, "phone");

      await page.goto(url);
      await page.getByRole("button", { name: "Play", exact: true }).first().click();
      await page.locator("#elapsed", { hasText: /^0:0[1-9]$/ }).waitFor();

      expect([errors, foreign]).toEqual([[], []]);
      await browser.close();
    });

    test.skipIf(!BROWSER_PATH)(
      "the owner signs in to the console, drops a song, opens it and searches",
      async () => {
        const browser = await startBrowser();
        const { page, errors, foreign } = await openWindow(browser, server.address, "desktop");

        await page.goto("/library");
        await page.getByLabel("E-mail").fill(EMAIL);
        await page.getByLabel("Password").fill(PASSWORD);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("grid", { name: "Tracks" }).waitFor();
        await page.goto("/library/uploads");
        const file = {
          name: "From the console.wav",
          mimeType: "audio/wav",
          buffer: Buffer.from(untaggedPiece),
        };
        await page.getByLabel("Choose files").last().setInputFiles(file);
        await page.getByText("1 of 1 uploaded").first().waitFor();
        await page.getByRole("link", { name: "Library" }).first().click();
        await page.getByRole("link", { name: "From the console" }).click();
        await page.getByRole("complementary", { name: "From the console" }).waitFor();
        await page.getByRole("link", { name: "Search" }).first().click();
        await page.getByRole("textbox", { name: "Describe the music" }).fill("something dark around 130 bpm");
        await page.keyboard.press("Enter");
        await page.getByRole("list", { name: "Understood as" }).waitFor();

        expect([errors, foreign]).toEqual([[], []]);
        await browser.close();
      },
    );

    test("a visitor submits a song to a brief", async () => {
      const { id, publicUrl } = await call("POST", "/app/briefs", {
        name: "Late night electronica",
        status: "open",
        publicPage: true,
      });
      const form = new FormData();
      form.append("name", "Ada");
      form.append("files", new File([piece], "for-you.wav"));
      const response = await fetch(publicUrl, {
        method: "POST",
        headers: { origin: server.address },
        body: form,
      });

      expect(await response.text()).toContain("for-you");
      expect(await call("GET", `/app/briefs/${id}/submissions`)).toMatchObject([{ submitterName: "Ada" }]);
    });

    test("webhook listen prints a verified event when the song changes", async () => {
      const { rows } = await program.run(["key", "create", "--email", EMAIL, "--name", "hook"]);
      const id = String(rows[0]?.id);
      const listener = startCommand(program.dataDir, ["webhook", "listen", "--port", "0", "--key", id], way);
      await listener.says(/leads here until/);

      await call("PATCH", `/api/v1/tracks/details?id=${songId}`, { title: "Night Bus, again" });

      expect(await listener.prints()).toMatchObject({
        verified: true,
        event: { type: "track.updated", data: { trackId: songId } },
      });
      expect(await listener.stop()).toBe(0);
    });

    test("a receiver gets a signed webhook", async () => {
      const received = Promise.withResolvers<Json>();
      let secret = "";
      const receiver = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: async (request) => {
          const headers = Object.fromEntries(request.headers);
          const event = new Webhook(secret).verify(await request.text(), headers) as Json;
          // Another track may just have been analysed.
          if (event.type === "track.updated") received.resolve(event);
          return new Response(null, { status: 204 });
        },
      });
      const { rows } = await program.run(["key", "create", "--email", EMAIL, "--name", "receiver"]);
      const path = `/integration/api-keys/${rows[0]?.id}/webhook`;
      const set = await call("POST", path, { url: `http://127.0.0.1:${receiver.port}/`, active: true });
      secret = set.webhookSecret;

      await call("PATCH", `/api/v1/tracks/details?id=${songId}`, { title: "Night Bus" });

      expect(await received.promise).toMatchObject({ type: "track.updated", data: { trackId: songId } });
      await receiver.stop(true);
    });

    test.each([
      ["through the running server", () => ({ DUBPLATE_URL: server.address, DATA_DIR: "/nonexistent" })],
      ["on the library itself", () => ({ DATA_DIR: program.dataDir })],
    ])("an assistant talks to mcp over stdio, %s", async (_, settings) => {
      const [command = "", ...args] = way.command;
      const client = new Client({ name: "smoke", version: "1" });
      await client.connect(
        new StdioClientTransport({
          command,
          args: [...args, "mcp"],
          ...(way.cwd !== undefined && { cwd: way.cwd }),
          env: { PATH: process.env.PATH ?? "", LOG_LEVEL: "warn", DUBPLATE_API_KEY: key, ...settings() },
          stderr: "ignore",
        }),
      );

      const { tools } = await client.listTools();
      const counted: Json = await client.callTool({ name: "get_track_count", arguments: {} });

      expect(tools).toHaveLength(39);
      expect(counted.structuredContent.count).toBeGreaterThanOrEqual(4);
      await client.close();
    });

    test("every command explains itself on stdout, and shells complete it", async () => {
      const topics = [...Object.keys(NOUNS), ...COMMAND_NAMES].map((name) => name.split(" "));
      const asked = await Promise.all(topics.map((topic) => program.show([...topic, "--help"])));
      const scripts = await Promise.all(SHELLS.map((shell) => program.show(["completion", shell])));

      for (const [at, { code, stdout, stderr }] of asked.entries())
        expect([code, stderr, stdout]).toEqual([
          0,
          "",
          expect.stringContaining(`dubplate ${topics[at]?.join(" ")}`),
        ]);
      for (const { code, stdout } of scripts)
        expect([code, stdout]).toEqual([0, expect.stringContaining("platform-key")]);
      expect((await program.show(["man"])).stdout).toStartWith(".TH DUBPLATE 1");
    });

    test.each(COMMANDS)("%p works as described", async (args, prints) => {
      const { code, rows, stderr } = await program.run(args);

      expect([code, stderr]).toEqual([0, expect.not.stringContaining("rror")]);
      expect(rows.slice(0, 1)).toMatchObject([prints]);
    });

    test("notes on a song become markers and cue points", async () => {
      await call("POST", `/api/v1/tracks/${songId}/comments`, { text: "Kick, too loud", positionSec: 4 });
      const path = join(program.dataDir, "notes.wav");
      const asked = { extra: { DUBPLATE_URL: server.address, DUBPLATE_API_KEY: key } };
      const at = ["notes", "--track", songId, "--format"];

      const listed = await program.show([...at, "reaper"], asked);
      const written = await program.run([...at, "wav", "-o", path], asked);

      expect(listed.stdout).toBe('#,Name,Start,End,Length,Color\r\nM1,"Me: Kick, too loud",0:04.000,,,\r\n');
      expect(written).toMatchObject({ code: 0, rows: [{ file: path }] });
      expect(readFileSync(path).includes("Me: Kick, too loud\0")).toBe(true);
    });

    test("a note is carried into the next mix, replied to, answered, and the mix is approved", async () => {
      const comments = `/api/v1/tracks/${songId}/comments`;
      const note = await call("POST", comments, { text: "Snare too dry", positionSec: 9.5 });
      const form = new FormData();
      form.append("file", new File([withoutBeginning(piece, 2)], "night-bus 2.wav"));
      const { id } = await call("POST", `/api/v1/tracks/${songId}/versions`, form);
      const placed = async (): Promise<Json> =>
        (await call("GET", `${comments}?versionId=${id}`)).find((each: Json) => each.id === note.id).place;
      while ((await placed()).how !== "carried") await Bun.sleep(LOOK_EVERY_MS);

      await call("POST", comments, { text: "Wetter now", parentId: note.id });
      await call("PATCH", `/api/v1/comments/${note.id}`, { answered: true, versionId: id });
      await call("PUT", `/api/v1/tracks/${songId}/versions/${id}/review`, { state: "approved" });

      expect((await placed()).positionSec).toBeCloseTo(7.5, 1);
      const round = await call("GET", `/api/v1/tracks/${songId}/versions/${id}/round`);
      expect(round).toMatchObject({ answered: 1, reviews: [{ state: "approved", by: { name: "Me" } }] });
      expect(round.notes.find((each: Json) => each.id === note.id)).toMatchObject({
        answeredIn: id,
        replyCount: 1,
      });
    });

    test("import adds a folder, and platform-key revoke ends a key", async () => {
      const folder = join(program.dataDir, "music");
      mkdirSync(folder);
      writeFileSync(join(folder, "tone.wav"), await fixture("tone.wav"));
      const [partner] = (await program.run(["platform-key", "list"])).rows;

      const imported = await program.run(["import", folder, "--email", EMAIL]);
      const revoked = await program.run(["platform-key", "revoke", String(partner?.id)]);

      expect(imported.rows).toMatchObject([{ trackId: expect.any(String) }]);
      expect(revoked.rows).toEqual([{ ok: true }]);
    });

    test("a backup is made while the server runs, verified, restored elsewhere, and nothing is missing", async () => {
      const folder = mkdtempSync(join(tmpdir(), "dubplate-smoke-"));
      const [file, shared] = [join(folder, "library.tar"), join(folder, "shared/")];
      const restored = { extra: { DATA_DIR: join(folder, "restored") } };

      const made = await program.run(["backup", file]);
      const snapshot = await program.run(["backup", shared]);
      const verified = [await program.run(["verify", file]), await program.run(["verify", shared])];
      const { code, rows } = await program.run(["restore", file], restored);
      const sound = [await program.run(["verify"]), await program.run(["verify"], restored)];

      expect([made, snapshot]).toMatchObject([{ code: 0 }, { code: 0 }]);
      expect([...verified, ...sound].map((each) => [each.code, each.rows])).toEqual(Array(4).fill([0, []]));
      expect([code, rows]).toMatchObject([0, [{ files: made.rows[0]?.files }]]);
      expect(originalsIn(join(folder, "restored"))).toEqual(originalsIn(join(program.dataDir, "audio")));
      rmSync(folder, { recursive: true });
    });

    const testDemo = playsDemo ? test : () => undefined;
    testDemo("the demo plays to its end", async () => {
      const folder = join(program.dataDir, "demo");

      // Without ffmpeg: it would encode files that nothing looks at, for a third of the time.
      const extra = { FFMPEG_PATH: join(program.dataDir, "no-ffmpeg") };
      const { code, stderr } = await program.run(["demo", folder], { extra });

      expect([code, stderr]).toEqual([0, expect.stringContaining("Sign in as demo@example.com")]);
    });

    test("a start beside a missing database is refused and keeps every audio file", async () => {
      const before = originalsIn(program.dataDir);
      server.child.kill("SIGTERM");
      expect(await server.child.exited).toBe(0);
      for (const file of readdirSync(program.dataDir))
        if (file.startsWith("dubplate.db")) rmSync(join(program.dataDir, file));

      const again = await program.run(["serve"]);

      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("holds audio but no database")]);
      expect(before.length).toBeGreaterThanOrEqual(5);
      expect(originalsIn(program.dataDir)).toEqual(before);
    });
  });
}

/** Returns a WAV without its first seconds. */
function withoutBeginning(wav: Uint8Array, seconds: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(wav);
  const data = bytes.indexOf("data");
  const cut = seconds * bytes.readUInt32LE(28);
  for (const at of [4, data + 4]) bytes.writeUInt32LE(bytes.readUInt32LE(at) - cut, at);
  return new Uint8Array(Buffer.concat([bytes.subarray(0, data + 8), bytes.subarray(data + 8 + cut)]));
}

/** Returns the intact originals anywhere in a folder: files named by the SHA-256 of their bytes. */
function originalsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isHashOf(join(entry.parentPath, entry.name), entry.name))
    .map(({ name }) => name)
    .sort();
}

function isHashOf(path: string, name: string): boolean {
  return (
    /^[0-9a-f]{64}$/.test(name) &&
    new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex") === name
  );
}
