import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { createProgram, freePort } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";
import { startCommand } from "../support/running-command.ts";
import { sine, wavBytes } from "../support/signals.ts";

const EMAIL = "ana@example.com";
let songs = 0;
/** A short song with bytes of its own. */
const song = () => {
  songs++;
  return wavBytes([sine(8000, 0.05, 200 + songs)], 8000, 16);
};

const music = mkdtempSync(join(tmpdir(), "dubplate-studio-"));
const elsewhere = { command: PROGRAM, cwd: tmpdir() };
let program: ReturnType<typeof createProgram>;
let address: string;
let key: string;
beforeAll(async () => {
  const watched = folder("served");
  program = createProgram({ WATCH: `${watched}=${EMAIL}`, WATCH_SETTLE: "0" }, elsewhere);
  await program.run([
    "account",
    "create",
    "--email",
    EMAIL,
    "--name",
    "Ana",
    "--password",
    "correct horse battery",
  ]);
  const made = await program.run(["key", "create", "--email", EMAIL, "--name", "studio"]);
  key = String(made.rows[0]?.key);
  ({ address } = await program.serve());
});
afterAll(async () => {
  await program.close();
  rmSync(music, { recursive: true });
});

function folder(name: string): string {
  mkdirSync(join(music, name), { recursive: true });
  return join(music, name);
}
const put = (inside: string, name: string, bytes: Uint8Array = song()) => {
  const path = join(inside, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, bytes);
  return path;
};
/** What is in a folder, and since when. */
const listing = (inside: string) =>
  readdirSync(inside, { recursive: true }).map((name) => {
    const { mtimeMs, size, ino } = statSync(join(inside, String(name)));
    return [String(name), mtimeMs, size, ino];
  });
const api = async (path: string): Promise<Json> =>
  (await fetch(`${address}/api/v1${path}`, { headers: { "x-api-key": key } })).json();
const titles = async (): Promise<string[]> =>
  (await api("/tracks?limit=200")).data.map(({ name }: Json) => name).sort();
const albumsNow = async (): Promise<Json[]> => (await api("/playlists?kind=album&limit=200")).data;
/** Title and cover of an album's songs in order. */
const songsOn = async (albumId: string): Promise<Json[]> => {
  const { data } = await api(`/playlists/single/${albumId}`);
  const found = data.tracks.map(({ id }: Json) => api(`/tracks/single?id=${id}`));
  return (await Promise.all(found)).map(({ data: { track } }) => [
    track.audio_profile.title,
    track.audio_profile.cover,
  ]);
};
const remote = () => ["--url", address, "--key", key];
/** The outcome of each file, without ids. */
const told = (rows: readonly Json[]) => rows.map(({ path, outcome, label }) => [path, outcome, label]).sort();

describe("dubplate watch", () => {
  test("takes the files of a folder into the library, once, and changes nothing there", async () => {
    const inside = folder("local");
    put(inside, "Harbour.wav");
    put(inside, "Blue Hour/v3.wav");
    put(inside, "Harbour (mix 2).wav");
    put(inside, "notes.txt", new TextEncoder().encode("notes"));
    for (const name of [".hidden.wav", "half.wav.part", "~$x.wav", "Backup/old.wav"]) put(inside, name);
    const before = listing(inside);
    const watch = () => program.run(["watch", inside, "--email", EMAIL, "--settle", "0", "--once"]);

    const [first, second] = [await watch(), await watch()];

    expect(told(first.rows)).toEqual([
      ["Blue Hour/v3.wav", "track", "v3"],
      ["Harbour (mix 2).wav", "version", "mix 2"],
      ["Harbour.wav", "track", null],
      ["notes.txt", "skipped", null],
    ]);
    expect(told(second.rows)).toEqual([["notes.txt", "skipped", null]]);
    expect([first.code, second.code, listing(inside)]).toEqual([0, 0, before]);
  });

  test("the pictures beside songs become covers, as with an import", async () => {
    const inside = folder("covers");
    put(inside, "Sea/01 Ebb.wav");
    put(inside, "Sea/02 Flow.wav");
    put(inside, "Sea/folder.png", await picture("png", { grey: 40 }));
    put(inside, "Sea/cover.jpg", await picture("jpeg", { grey: 41 }));
    put(inside, "Alone/Buoy.wav");
    put(inside, "Alone/Front.PNG", await picture("png", { grey: 42 }));
    put(inside, "None/cover.png", await picture("png", { grey: 43 }));
    const watch = (...to: string[]) => program.run(["watch", inside, ...to, "--settle", "0", "--once"]);

    const first = await watch("--email", EMAIL);
    put(inside, "Sea/03 Slack.wav");
    const second = await watch(...remote());

    const album = (await albumsNow()).find(({ name }) => name === "Sea");
    const songs = await songsOn(album?.id);
    const covers = first.rows.filter(({ outcome }) => outcome === "cover");
    expect(covers).toHaveLength(2);
    expect(covers).toContainEqual(
      expect.objectContaining({ path: "Alone/Front.PNG", covered: 1, albumId: null }),
    );
    expect(covers).toContainEqual(
      expect.objectContaining({ path: "Sea/cover.jpg", covered: 2, albumId: album?.id }),
    );
    expect(told(second.rows)).toEqual([
      ["None/cover.png", "skipped", null],
      ["Sea/03 Slack.wav", "track", null],
    ]);
    expect(songs.map(([title]) => title)).toEqual(["Ebb", "Flow", "Slack"]);
    expect(new Set(songs.map(([, cover]) => cover)).size).toBe(1);
  });

  test("words beside a song become its lyrics, here and on a server, and stay as a person has them", async () => {
    const inside = folder("words");
    put(inside, "Capstan.wav");
    put(inside, "Capstan.lrc", Buffer.from("[00:00.01]Ahoy\n[00:00.02]Land"));
    put(inside, "Capstan.txt", Buffer.from("Left alone"));
    put(inside, "Lost.lrc", Buffer.from("[00:00.01]Nobody"));
    const watch = (...to: string[]) => program.run(["watch", inside, ...to, "--settle", "0", "--once"]);

    const first = await watch("--email", EMAIL);
    put(inside, "Windlass.wav");
    put(inside, "Windlass.txt", Buffer.from("\xc5 skutan", "latin1"));
    const second = await watch(...remote());

    const lyricsOf = async ({ rows }: { rows: Json[] }, name: string) => {
      const { trackId } = rows.find(({ path, outcome }) => path === name && outcome === "track") ?? {};
      return (await api(`/tracks/${trackId}/lyrics`)).data;
    };
    expect(told(first.rows).sort()).toEqual([
      ["Capstan.lrc", "words", null],
      ["Capstan.txt", "words", null],
      ["Capstan.wav", "track", null],
      ["Lost.lrc", "skipped", null],
    ]);
    expect(await lyricsOf(first, "Capstan.wav")).toMatchObject({ lyrics: "Ahoy\nLand", origin: "written" });
    expect(told(second.rows).sort()).toEqual([
      ["Lost.lrc", "skipped", null],
      ["Windlass.txt", "words", null],
      ["Windlass.wav", "track", null],
    ]);
    expect((await lyricsOf(second, "Windlass.wav")).lyrics).toBe("Å skutan");
  });

  test("a song that comes later gets the picture that was there before it", async () => {
    const inside = folder("later");
    put(inside, "Quay/Anchor.wav");
    put(inside, "Quay/cover.png", await picture("png", { grey: 44 }));
    const command = ["watch", inside, "--email", EMAIL, "--settle", "0", "--every", "1"];
    const watching = startCommand(program.dataDir, command);
    const [song, cover] = [await watching.prints(), await watching.prints()];

    put(inside, "Quay/Bollard.wav");
    const [later, again] = [await watching.prints(), await watching.prints()];
    await watching.stop();

    expect([song, cover, later, again]).toMatchObject([
      { path: "Quay/Anchor.wav", outcome: "track" },
      { path: "Quay/cover.png", outcome: "cover", covered: 1 },
      { path: "Quay/Bollard.wav", outcome: "track" },
      { path: "Quay/cover.png", outcome: "cover", covered: 1 },
    ]);
  });

  test("a watched folder is taken into a library on a server, over a name that comes again, and bytes that come again", async () => {
    const inside = folder("remote");
    const bytes = song();
    put(inside, "Lantern.wav", bytes);
    const watch = () => program.run(["watch", inside, ...remote(), "--settle", "0", "--once"]);

    const first = await watch();
    put(inside, "Lantern.wav");
    put(inside, "Lantern copy.wav", bytes);
    const second = await watch();

    expect([told(first.rows), told(second.rows)]).toEqual([
      [["Lantern.wav", "track", null]],
      [
        ["Lantern copy.wav", "known", null],
        ["Lantern.wav", "version", null],
      ],
    ]);
    expect(await titles()).not.toContain("Lantern copy.wav");
  });

  test.each([
    ["here", () => ["--email", EMAIL]],
    ["on a server", remote],
  ])(
    "a folder of numbered songs is an album of the library %s, with the picture beside them",
    async (where, to) => {
      const name = `Record ${where}`;
      const inside = folder(`watched ${where}`);
      put(inside, `${name}/folder.png`, await picture("png", { grey: where.length }));
      for (const number of [2, 10, 1]) put(inside, `${name}/${number}. Song ${number}.wav`);
      const watch = () => program.run(["watch", inside, ...to(), "--settle", "0", "--once"]);

      const [first, second] = [await watch(), await watch()];

      expect([first.code, second.code, second.rows]).toEqual([0, 0, []]);
      const albums = (await albumsNow()).filter((album) => album.name === name);
      expect(albums).toMatchObject([{ trackCount: 3 }]);
      const { id, image } = albums[0] ?? {};
      expect(image).toContain("/artwork/");
      expect(await songsOn(id)).toEqual([1, 2, 10].map((number) => [`Song ${number}`, image]));
    },
  );

  test("a file is taken in when it is whole, and not before", async () => {
    const inside = folder("slow");
    const bytes = song();
    const path = put(inside, "Slow.wav", bytes.slice(0, 500));
    put(inside, "Quick.wav");
    const watching = startCommand(program.dataDir, [
      "watch",
      inside,
      "--email",
      EMAIL,
      "--settle",
      "0",
      "--every",
      "1",
    ]);

    expect(await watching.prints()).toMatchObject({ path: "Quick.wav", outcome: "track" });
    appendFileSync(path, bytes.slice(500));

    expect(await watching.prints()).toMatchObject({ path: "Slow.wav", outcome: "track" });
    expect(await watching.stop()).toBe(0);
  });

  test("the server watches the folder that a setting names, for the account that it names", async () => {
    put(join(music, "served"), "Served v2.wav");

    while (!(await titles()).includes("Served v2.wav")) await Bun.sleep(50);
  });

  test.each([
    ["no folder", ["watch", "--email", EMAIL], 2],
    ["no library", ["watch", tmpdir()], 2],
    ["two libraries", ["watch", tmpdir(), "--email", EMAIL, "--key", "k"], 2],
    ["a folder that is not there", ["watch", "/not/there", "--email", EMAIL], 1],
    ["nobody's account", ["watch", tmpdir(), "--email", "else@example.com", "--once"], 1],
  ])("refuses %s", async (_, args, code) => {
    expect((await program.run(args)).code).toBe(code);
  });
});

describe("dubplate send", () => {
  test("puts renders into the library of a server, with what a hook needs", async () => {
    const inside = folder("send");
    const env = { DUBPLATE_URL: address, DUBPLATE_API_KEY: key };
    const first = put(inside, "Signal.wav");
    const { rows, code } = await program.run(["send", first], { extra: env });
    const trackId = String(rows[0]?.trackId);
    const render = put(inside, "untitled render.wav");
    const named = await program.run(["send", render, "--track", trackId, "--label", "for Ana"], {
      extra: env,
    });
    const again = await program.run(["send", first], { extra: env });

    expect([code, rows]).toEqual([
      0,
      [
        {
          path: first,
          outcome: "track",
          trackId,
          versionId: expect.any(String),
          label: null,
          title: "Signal",
          url: `${address}/library/tracks/${trackId}`,
          reason: null,
        },
      ],
    ]);
    expect(named.rows[0]).toMatchObject({ outcome: "version", trackId, label: "for Ana", title: "Signal" });
    expect([again.code, again.rows[0]?.outcome, again.rows[0]?.trackId]).toEqual([0, "track", trackId]);
  });

  test("goes on where a sender was killed, over a slow line", async () => {
    const path = put(folder("send"), "Long way.wav", wavBytes([sine(48_000, 12, 220)], 48_000, 16));
    const { size } = statSync(path);
    let [passed, isSlow] = [0, true];
    const halfway = Promise.withResolvers<void>();
    // A line that stops after the first half of the file.
    const line: Bun.Server<undefined> = Bun.serve({
      port: 0,
      idleTimeout: 0,
      fetch: async (request): Promise<Response> => {
        const to = address + request.url.slice(line.url.origin.length);
        if (request.method !== "PATCH" || !request.body) return fetch(new Request(to, request));
        const piece = new Uint8Array(await request.arrayBuffer());
        const sent = isSlow ? piece.slice(0, size / 2) : piece;
        passed += sent.length;
        const answer = await fetch(to, { method: "PATCH", headers: request.headers, body: sent });
        if (!isSlow) return answer;
        halfway.resolve();
        return new Promise<Response>(() => undefined);
      },
    });
    const args = ["send", path, "--url", line.url.origin, "--key", key];
    const child = Bun.spawn([...elsewhere.command, ...args], { env: { PATH: process.env.PATH ?? "" } });
    await halfway.promise;
    child.kill("SIGKILL");
    await child.exited;

    isSlow = false;
    const { code, rows } = await program.run(args);
    await line.stop(true);

    expect([code, rows[0]?.outcome, passed]).toEqual([0, "track", size]);
  });

  test("says with its exit code whether trying again helps", async () => {
    const inside = folder("send");
    const whole = put(inside, "Echo.wav");
    const cut = put(inside, "Cut.wav", song().slice(0, 400));
    const text = put(inside, "text.wav", new TextEncoder().encode("no music"));
    const nobody = `http://127.0.0.1:${await freePort()}`;

    const bad = await program.run(["send", join(inside, "none.wav"), cut, text, whole, ...remote()]);
    const wrongKey = await program.run(["send", whole, "--url", address, "--key", "wrong.key"]);
    const wrongTrack = await program.run(["send", put(inside, "New.wav"), "--track", "trk_0", ...remote()]);
    const usage = await program.run(["send", whole]);
    const away = await program.run(["send", whole, "--url", nobody, "--key", key]);

    expect([bad.code, bad.rows.map(({ outcome }) => outcome)]).toEqual([
      1,
      ["failed", "failed", "failed", "track"],
    ]);
    expect([wrongKey.code, wrongTrack.code, usage.code, away.code]).toEqual([1, 1, 2, 3]);
    expect(away.stderr).toContain(`${nobody} cannot be reached`);
  });
});

describe("dubplate import", () => {
  const run = (inside: string, ...more: string[]) =>
    program.run(["import", inside, "--email", EMAIL, ...more]);

  test("reads versions from names, goes on where it stopped, and offers playlists", async () => {
    const inside = folder("life");
    for (const name of [
      "Red/Intro.wav",
      "Red/Meadow.wav",
      "Red/Meadow v2.wav",
      "Blue/Intro.wav",
      "Blue/Canal.wav",
    ])
      put(inside, name);
    const text = (name: string, content: string) => put(inside, name, new TextEncoder().encode(content));
    text(
      "sets/Late.m3u8",
      "#EXTM3U\n#PLAYLIST:Late set\n../Red/Meadow.wav\nC:\\Music\\Blue\\Canal.wav\n../gone.wav\n",
    );
    text(
      "Library.xml",
      `<plist><dict><key>Tracks</key><dict>
         <key>7</key><dict><key>Location</key><string>file://localhost/Users/a/Blue/Intro.wav</string></dict>
         <key>8</key><dict><key>Location</key><string>file:///Users/a/Red/Meadow%20v2.wav</string></dict></dict>
       <key>Playlists</key><array>
         <dict><key>Master</key><true/><key>Name</key><string>All</string></dict>
         <dict><key>Name</key><string>Rain &amp; Fog</string><key>Playlist Items</key><array>
           <dict><key>Track ID</key><integer>7</integer></dict><dict><key>Track ID</key><integer>8</integer></dict>
         </array></dict></array></dict></plist>`,
    );
    text(
      "rekordbox.xml",
      `<DJ_PLAYLISTS><COLLECTION><TRACK TrackID="1" Location="file://localhost/D:/Red/Intro.wav"/>
         <TRACK TrackID="2" Location="file://localhost/D:/Blue/Canal.wav"/></COLLECTION>
       <PLAYLISTS><NODE Type="0" Name="ROOT"><NODE Name="Dawn" Type="1" KeyType="0"><TRACK Key="1"/><TRACK Key="2"/></NODE>
       </NODE></PLAYLISTS></DJ_PLAYLISTS>`,
    );

    const first = await run(inside);
    const again = await run(inside, "--playlists");
    const third = await run(inside, "--playlists");

    expect([first.code, again.code, third.code]).toEqual([0, 0, 0]);
    expect(first.stderr).toContain(
      "5 added, 0 already there, 3 left out, 0 failed, 1 of those added as versions, in ",
    );
    expect(first.stderr).toContain("5 folders and lists may become playlists: run it again with --playlists");
    expect(again.stderr).toContain("0 added, 5 already there");
    const tracks = new Map(
      first.rows.map(({ path, trackId }) => [String(path).slice(inside.length + 1), trackId]),
    );
    expect([...tracks.keys()].length).toBe(5);
    expect(new Set(tracks.values()).size).toBe(4);
    const made = again.rows.filter(({ playlist }) => playlist !== undefined);
    expect(made.map(({ playlist, added }) => [playlist, added]).sort()).toEqual([
      ["Blue", 2],
      ["Dawn", 2],
      ["Late set", 2],
      ["Rain & Fog", 2],
      ["Red", 2],
    ]);
    expect(third.rows.filter(({ playlist }) => playlist !== undefined)).toEqual([]);
    const late = made.find(({ playlist }) => playlist === "Late set");
    const { data } = await api(`/playlists/single/${late?.playlistId}`);
    expect(data.tracks.map(({ id }: Json) => id)).toEqual([
      tracks.get("Red/Meadow.wav"),
      tracks.get("Blue/Canal.wav"),
    ]);
  });

  test("makes an album of a folder with two discs, and no second one when it comes again", async () => {
    const inside = folder("two discs");
    put(inside, "Double/cover.png", await picture("png", { grey: 33 }));
    for (const path of ["CD2/01 - Three.wav", "CD1/02 - Two.wav", "CD1/01 - One.wav"])
      put(inside, `Double/${path}`);

    const first = await run(inside);
    put(inside, "Double/CD2/02 - Four.wav");
    const second = await run(inside);

    expect([first.code, second.code]).toEqual([0, 0]);
    const albums = (await albumsNow()).filter(({ name }) => name === "Double");
    expect(albums).toMatchObject([{ trackCount: 4, kind: "album" }]);
    const { id, image } = albums[0] ?? {};
    expect(image).toContain("/artwork/");
    expect(await songsOn(id)).toEqual(["One", "Two", "Three", "Four"].map((title) => [title, image]));
  });

  test("gives the picture beside the files to the tracks that have none", async () => {
    const inside = folder("sleeves");
    const [dawn, dusk] = [put(inside, "Album/Dawn.wav"), put(inside, "Album/Dusk.wav")];
    const alone = put(inside, "Loose/Alone.wav");
    put(inside, "Album/front.png", await picture("png", { grey: 40 }));
    put(inside, "Album/Cover.JPG", await picture("jpeg"));
    put(inside, "Album/back.jpg", await picture("jpeg", { grey: 200 }));
    put(inside, "Loose/folder.png", new TextEncoder().encode("no picture"));
    const coverOf = async (id: unknown) =>
      (await api(`/tracks/single?id=${id}`)).data.track.audio_profile.cover as string | null;

    const first = await run(inside);
    const idOf = (file: string) => first.rows.find(({ path }) => path === file)?.trackId;
    const [own, other] = [await coverOf(idOf(dawn)), await coverOf(idOf(dusk))];
    const shown = await fetch(String(own));
    await fetch(`${address}/api/v1/tracks/details?id=${idOf(dusk)}`, {
      method: "PATCH",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ cover: null }),
    });
    const again = await run(inside);

    expect(first.code).toBe(0);
    const pictures = first.rows.filter(({ trackId }) => trackId === undefined);
    expect(pictures).toEqual([
      { path: join(inside, "Album/Cover.JPG"), covered: 2 },
      { path: join(inside, "Loose/folder.png"), error: expect.stringContaining("JPEG") },
    ]);
    expect(first.stderr).toContain(`Left out: ${join(inside, "Album/Cover.JPG")} (a picture for the tracks`);
    expect(other).toBe(own);
    expect(shown.headers.get("content-type")).toMatch(/^image\//);
    expect(await coverOf(idOf(alone))).toBeNull();
    expect(again.rows.filter(({ covered }) => covered !== undefined)).toMatchObject([{ covered: 0 }]);
    expect([await coverOf(idOf(dawn)), await coverOf(idOf(dusk))]).toEqual([own, null]);
  });

  test("gives songs the words beside them, and a person's words stay", async () => {
    const inside = folder("sung");
    const [mainsail, halyard] = [put(inside, "Mainsail.wav"), put(inside, "Deep/Halyard v2.wav")];
    put(inside, "Mainsail.lrc", Buffer.from("[00:00.01]Ahoy\n[00:00.02]Land"));
    put(inside, "Mainsail.txt", Buffer.from("Other words"));
    put(inside, "Deep/halyard v2.TXT", Buffer.from([0x48, 0x65, 0x61, 0x76, 0xe9])); // in the letters of Windows
    put(inside, "Notes.txt", Buffer.from("Call Bo"));
    const wordsOf = async (id: unknown) =>
      (await api(`/tracks/${id}/lyrics`)).data as { lyrics: string; lines: { atMs: number | null }[] };

    const first = await run(inside);
    const idOf = (file: string) => first.rows.find(({ path }) => path === file)?.trackId;
    const [timed, plain] = [await wordsOf(idOf(mainsail)), await wordsOf(idOf(halyard))];
    await fetch(`${address}/api/v1/tracks/details?id=${idOf(mainsail)}`, {
      method: "PATCH",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ lyrics: "Mine" }),
    });
    const again = await run(inside);

    expect(first.code).toBe(0);
    expect(first.rows.filter(({ wordsOf }) => wordsOf !== undefined)).toEqual([
      { path: join(inside, "Mainsail.lrc"), wordsOf: idOf(mainsail) },
      { path: join(inside, "Deep/halyard v2.TXT"), wordsOf: idOf(halyard) },
      { path: join(inside, "Mainsail.txt"), wordsOf: idOf(mainsail) },
    ]);
    expect(first.stderr).toContain(
      `Left out: ${join(inside, "Mainsail.lrc")} (words for the song beside it)`,
    );
    expect(first.stderr).toContain(`Left out: ${join(inside, "Notes.txt")} (not an audio file`);
    expect(timed.lyrics).toBe("Ahoy\nLand");
    expect(timed.lines.map(({ atMs }) => atMs)).toEqual([10, 20]);
    expect(plain.lyrics).toBe("Heavé");
    expect(again.code).toBe(0);
    expect((await wordsOf(idOf(mainsail))).lyrics).toBe("Mine");
  });
});

describe("dubplate notes", () => {
  const noted = async () => {
    const { rows } = await program.run(["send", put(folder("notes"), "Rain v1.wav"), ...remote()]);
    const trackId = String(rows[0]?.trackId);
    const send = (text: string, more: object) =>
      fetch(`${address}/api/v1/tracks/${trackId}/comments`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ text, ...more }),
      });
    await send("Kick\ttoo loud", { positionSec: 0.025 });
    return { trackId, versionId: String(rows[0]?.versionId) };
  };

  test("prints the notes on the active version, or on another one, and writes them to a file", async () => {
    const { trackId, versionId } = await noted();
    const env = { extra: { DUBPLATE_URL: `${address}/mcp`, DUBPLATE_API_KEY: key } };
    const to = join(folder("notes"), "notes.mid");

    const printed = await program.show(["notes", "--track", trackId], env);
    const named = await program.show(["notes", "--track", trackId, "--version", versionId, ...remote()]);
    const written = await program.run(
      ["notes", "--track", trackId, "--format", "midi", "--bpm", "90", "-o", to],
      env,
    );

    expect([printed.code, printed.stdout]).toEqual([
      0,
      expect.stringMatching(/^cmt_\w+\t0\.025000\t\tAna: Kick too loud\n$/),
    ]);
    expect(named.stdout).toBe(printed.stdout);
    expect(written).toMatchObject({ code: 0, rows: [{ file: to, bytes: statSync(to).size }] });
    expect(await Bun.file(to).text()).toStartWith("MThd");
  });

  test("says what is wrong, and leaves no half of a file", async () => {
    const { trackId } = await noted();
    const inside = folder("none");
    const to = join(inside, "notes.csv");
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const at = ["notes", "--track", trackId];

    const results = [
      await program.run([...at, "--format", "wav", ...remote()]),
      await program.run([...at, "--format", "pdf", ...remote()]),
      await program.run(["notes", ...remote()]),
      await program.run(at),
      await program.run([...at, "--version", "ver_none", "-o", to, ...remote()]),
      await program.run([...at, "-o", to, "--url", address, "--key", "wrong.key"]),
      await program.run([...at, "-o", to, "--url", nobody, "--key", key]),
      await program.run([...at, "-o", join(process.execPath, "x.csv"), ...remote()]),
    ];

    expect(results.map(({ code, stderr }) => [code, stderr.trim().split("\n").at(-1)])).toEqual([
      [2, "--format wav is not text: name a file for it with -o"],
      [2, expect.stringContaining("--format must be reaper, audacity")],
      [2, expect.stringContaining("usage: dubplate notes --track ID")],
      [2, "Name the server: --url, or DUBPLATE_URL"],
      [1, "The track has no such version"],
      [1, "This API key is not valid"],
      [3, expect.stringContaining(`${nobody} cannot be reached`)],
      [1, expect.stringContaining("could not be written")],
    ]);
    expect(readdirSync(inside)).toEqual([]);
  });
});
