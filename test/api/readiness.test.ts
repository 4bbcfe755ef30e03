import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PROFILES, RULES, RULES_VERSION } from "../../db/readiness.ts";
import { composers, readinessResults, trackShareholders } from "../../db/schema.ts";
import { readinessTable } from "../../scripts/readiness-table.ts";
import { createCheck } from "../../src/audio/analyzer.ts";
import { FAULTS_VERSION } from "../../src/audio/faults/version.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows, type TrackOptions } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Everything that can be said of a track that lacks nothing. */
const WHOLE = {
  name: "Night Bus.wav",
  title: "Night Bus",
  artist: "Mara Lind",
  isrc: "QZABC2600001",
  tags: { genres: ["House"] },
  measured: {
    truePeakDbtp: -1.5,
    integratedLufs: -14,
    embedded: { title: "night  bus", artist: "Mara Lind" },
  },
} as const satisfies TrackOptions;

/** Returns a new account with its API and a track of it. */
function track(options: TrackOptions = {}) {
  const { accountId, token } = app.createAccount();
  const { id, versionId } = addTrackRows(app.deps.db, accountId, { ...WHOLE, ...options });
  const api = app.as(app.createKey(accountId));
  const findings = async (profile?: string): Promise<Json[]> => {
    const query = profile === undefined ? "" : `?profile=${profile}`;
    const { status, body } = await api("GET", `/tracks/${id}/readiness${query}`);
    expect(status).toBe(200);
    return body.data.findings;
  };
  const addWriter = (share: number, facts: Partial<typeof composers.$inferInsert> = {}) => {
    const row = { id: newId("shr"), ownerId: accountId, fullName: "Ben Ode", createdAt: 1, ...facts };
    app.deps.db.insert(composers).values(row).run();
    const link = { trackId: id, composerId: row.id, share, role: "Composer", position: 0, createdAt: 1 };
    app.deps.db.insert(trackShareholders).values(link).run();
    return row.id;
  };
  return { accountId, token, id, versionId, api, findings, addWriter };
}

const codesOf = (findings: readonly Json[]) => findings.map(({ code }) => code);
const found = (findings: readonly Json[], code: string) => findings.find((each) => each.code === code);

describe("GET /tracks/{id}/readiness", () => {
  test("says what is found, the limit, who can supply it, where it is mended and whose rule it is", async () => {
    const { id, versionId, api } = track({ isrc: null, measured: { truePeakDbtp: 0.31 } });

    const { status, body } = await api("GET", `/tracks/${id}/readiness`);

    expect(status).toBe(200);
    const { findings, counts, ...rest } = body.data;
    expect(rest).toEqual({
      profile: "store",
      rules: RULES_VERSION,
      trackId: id,
      title: "Night Bus",
      versionId,
      isChecked: false,
    });
    expect(found(findings, "true_peak")).toEqual({
      code: "true_peak",
      level: "stop",
      scope: "sound",
      message: "Peaks reach +0.3 dBTP; the limit is 0.0 dBTP.",
      value: 0.31,
      limit: 0,
      unit: "dBTP",
      atSec: null,
      suppliedBy: "engineer",
      composerId: null,
      composerName: null,
      place: `/library/tracks/${id}`,
      fix: "play",
      source: "EBU R 128 s2; Spotify's advice to artists",
    });
    expect(found(findings, "isrc_missing")).toMatchObject({
      level: "stop",
      message: "No ISRC.",
      value: null,
    });
    const levels = findings.map(({ level }: Json) => level);
    expect(levels).toEqual(levels.toSorted((a: string, b: string) => (a < b ? 1 : -1)).toSorted(byGravity));
    expect(counts.stop).toBe(levels.filter((level: string) => level === "stop").length);
  });

  test.each<[string, TrackOptions, string, Json]>([
    ["peaks above -1 dBTP", { measured: { truePeakDbtp: -0.4 } }, "true_peak", { level: "warn", limit: -1 }],
    [
      "peaks so little above it that one digit would not show it",
      { measured: { truePeakDbtp: -0.97 } },
      "true_peak",
      { level: "warn", message: "Peaks reach -0.97 dBTP; the limit is -1.0 dBTP." },
    ],
    [
      "peaks above -2 dBTP in loud music",
      { measured: { truePeakDbtp: -1.5, integratedLufs: -9 } },
      "true_peak",
      { level: "warn", limit: -2 },
    ],
    [
      "how services change its level",
      { measured: { integratedLufs: -8 } },
      "loudness_gain",
      {
        level: "note",
        value: 8,
        message: expect.stringContaining("Spotify, YouTube, Tidal, Amazon Music -6.0 dB"),
      },
    ],
    ["a file that ends early", { measured: { truncated: true } }, "cut_short", { level: "stop" }],
    [
      "a lossy file",
      { measured: { codec: "MPEG 1 Layer 3", lossless: false, bitDepth: null } },
      "lossy_source",
      { level: "warn", value: "MPEG 1 Layer 3" },
    ],
    [
      "a low sample rate",
      { measured: { sampleRateHz: 32_000 } },
      "sample_rate",
      { level: "stop", message: "The sample rate is 32 kHz; stores take 44.1 kHz or more." },
    ],
    ["too few bits", { measured: { bitDepth: 8 } }, "bit_depth", { level: "stop", value: 8 }],
    ["more than two channels", { measured: { channels: 6 } }, "channels", { level: "warn" }],
    [
      "a file that cannot be read",
      { analysisStatus: "failed", analysisReason: "It is damaged." },
      "cannot_be_read",
      { level: "stop", message: "The file cannot be read: It is damaged." },
    ],
    ["a track without a title", { title: null }, "title_missing", { level: "stop" }],
    ["a blank artist", { artist: "  " }, "artist_missing", { level: "stop" }],
    ["a track without a genre", { tags: {} }, "genre_missing", { level: "warn" }],
    [
      "an ISRC of eleven characters",
      { isrc: "QZABC260001" },
      "isrc_bad",
      { level: "stop", value: "QZABC260001" },
    ],
    [
      "a featured artist in the title",
      { title: "Night Bus feat. Ben Ode" },
      "title_style",
      { level: "note" },
    ],
    ["a title in capitals", { title: "NIGHT BUS" }, "title_style", { level: "note" }],
    ["a version behind a dash", { title: "Night Bus - Radio Edit" }, "title_style", { level: "note" }],
    [
      "another title in the file",
      { measured: { embedded: { title: "Bounce 3" } } },
      "tags_disagree",
      { level: "warn", message: "The file's own tag has another title: “Bounce 3”." },
    ],
    [
      "another ISRC in the file",
      { measured: { embedded: { isrc: "QZ-ABC-26-00009" } } },
      "tags_disagree",
      { level: "warn", value: "QZ-ABC-26-00009" },
    ],
    ["a track without a cover", {}, "cover_missing", { level: "stop", suppliedBy: "artwork" }],
    ["a track without a composer", {}, "composer_missing", { level: "warn" }],
  ])("finds %s", async (_, options, code, expected) => {
    const { findings } = track({
      ...options,
      ...(options.measured && { measured: { ...WHOLE.measured, ...options.measured } }),
    });

    expect(found(await findings(), code)).toMatchObject(expected);
  });

  test("says nothing about what is in order", async () => {
    const { findings, addWriter } = track();
    addWriter(100, { ipi: "00000000199", pro: "GEMA", isni: "0000 0001 2103 2683" });

    const codes = codesOf(await findings());

    expect(
      codes.filter(
        (code: string) =>
          ![
            ...["cover_missing", "not_checked", "upc_missing", "release_date_missing", "explicit_unstated"],
            ...["p_line_missing", "c_line_missing", "ai_unstated"],
          ].includes(code),
      ),
    ).toEqual([]);
  });

  test("finds another track of the library with the same ISRC, and none in the bin or elsewhere", async () => {
    const { id, accountId, findings } = track();
    track();
    addTrackRows(app.deps.db, accountId, { isrc: WHOLE.isrc, title: "Gone", deletedAt: 5 });
    expect(codesOf(await findings())).not.toContain("isrc_used_twice");

    addTrackRows(app.deps.db, accountId, { isrc: WHOLE.isrc, name: "Copy.wav" });

    expect(found(await findings(), "isrc_used_twice")).toMatchObject({
      level: "stop",
      value: "Copy",
      place: `/library/tracks/${id}`,
    });
  });

  test("finds shares that do not add up, and what each composer lacks once", async () => {
    const { findings, addWriter } = track();
    const ben = addWriter(50);
    addWriter(40, { fullName: "Ada", ipi: "00000000198", isni: "0000 0001 2103 2684", pro: "GEMA" });

    const findings_ = await findings();

    expect(found(findings_, "splits")).toMatchObject({
      level: "stop",
      value: 90,
      limit: 100,
      message: "The shares add up to 90 %.",
    });
    expect(found(findings_, "ipi_missing")).toMatchObject({
      message: "Ben Ode has no IPI.",
      suppliedBy: "composer",
      composerId: ben,
      place: `/library/composers/${ben}`,
    });
    expect(found(findings_, "pro_missing")).toMatchObject({
      message: "Ben Ode has no society (PRO).",
      level: "warn",
    });
    expect(found(findings_, "ipi_bad")).toMatchObject({ level: "stop", value: "00000000198" });
    expect(found(findings_, "isni_bad")).toMatchObject({ level: "stop" });
    expect(findings_.filter(({ code }) => code === "ipi_missing")).toHaveLength(1);
  });

  test("what was found in the sound of the active version counts", async () => {
    const { versionId, accountId, findings, api, id } = track();
    const check = createCheck({ sampleRateHz: 8000, channels: 2 });
    check.push(new Float32Array(16_000).map((_, i) => (i % 2 ? -0.4 : 0.4) * Math.sin(i)));
    const row = { versionId, rules: FAULTS_VERSION, measured: { ...check.finish().faults }, at: 1 };
    expect(codesOf(await findings())).toContain("not_checked");

    app.deps.db.insert(readinessResults).values(row).run();

    const codes = codesOf(await findings());
    expect(codes).toContain("out_of_phase");
    expect(codes).not.toContain("not_checked");
    expect((await api("GET", `/tracks/${id}/readiness`)).body.data.isChecked).toBe(true);
    const heard = app.deps.db.$client.query("SELECT topic, id FROM account_changes WHERE account_id = ?1");
    expect(heard.all(accountId)).toContainEqual({ topic: "tracks", id });
  });

  test("what is stated of the rights is asked for, and wrong identifiers are found", async () => {
    const { id, api, findings } = track();
    expect(codesOf(await findings())).toEqual(
      expect.arrayContaining([
        "explicit_unstated",
        "p_line_missing",
        "c_line_missing",
        "ai_unstated",
        "upc_missing",
      ]),
    );

    await api("PATCH", `/tracks/${id}/rights`, {
      iswc: "T-034.524.680-2",
      upc: "4006381333932",
      explicit: "no",
      pLine: "2026 Northlight",
      cLine: "2026 Northlight",
      releaseDate: "2026-12-01",
      aiUse: [{ part: "vocals", extent: "none" }],
    });

    const after = await findings();
    expect(found(after, "iswc_bad")).toMatchObject({ level: "stop", value: "T-034.524.680-2", fix: "iswc" });
    expect(found(after, "upc_bad")).toMatchObject({ level: "stop", value: "4006381333932" });
    for (const code of [
      "explicit_unstated",
      "p_line_missing",
      "c_line_missing",
      "ai_unstated",
      "upc_missing",
      "release_date_missing",
    ])
      expect(codesOf(after)).not.toContain(code);
  });

  test("the main mix of a set is asked for its instrumental and its half minute", async () => {
    const { id, accountId, api, findings } = track();
    const lacks = async () =>
      (await findings("sync")).flatMap(({ code, value }) => (code === "set_incomplete" ? value : []));
    const other = (title: string) => addTrackRows(app.deps.db, accountId, { title }).id;
    expect(await lacks()).toEqual(["instrumental", "30 s edit"]);

    const instrumental = other("Night Bus (Instrumental)");
    await api("PUT", `/tracks/${instrumental}/family`, { with: id, kind: "instrumental" });
    expect(await lacks()).toEqual(["30 s edit"]);
    await api("PUT", `/tracks/${other("Night Bus (30)")}/family`, { with: id, kind: "other", editSec: 30 });

    expect(await lacks()).toEqual([]);
    const { body } = await api("GET", `/tracks/${instrumental}/readiness?profile=sync`);
    expect(codesOf(body.data.findings)).not.toContain("set_incomplete");
  });

  test.each(["jpeg", "png"] as const)(
    "a cover that is small and not square is said to be both (%s)",
    async (format) => {
      const { id, api, findings } = track();
      const setCover = async (size: { width: number; height: number }) =>
        await api("POST", "/tracks/cover-art", {
          trackId: id,
          base64: (await picture(format, size)).toString("base64"),
        });

      await setCover({ width: 60, height: 40 });
      const small = await findings();
      await setCover({ width: 3000, height: 3000 });
      const large = codesOf(await findings());

      expect(found(small, "cover_not_square")).toMatchObject({ level: "stop", value: "60 x 40" });
      expect(found(small, "cover_small")).toMatchObject({ level: "stop", value: 40, limit: 3000 });
      expect(large.filter((code: string) => code.startsWith("cover_"))).toEqual([]);
    },
  );

  test("the counts of a single track follow each change", async () => {
    const { id, api, addWriter, findings } = track();
    const counted = async () => {
      const { readiness } = (await api("GET", `/tracks/single?id=${id}`)).body.data.track;
      const levels = (await findings()).map(({ level }) => level);
      const number = (wanted: string) => levels.filter((level) => level === wanted).length;
      expect(readiness).toEqual({ stop: number("stop"), warn: number("warn"), note: number("note") });
      return readiness;
    };

    const first = await counted();
    expect(await counted()).toEqual(first);
    await api("PATCH", `/tracks/details?id=${id}`, { isrc: null });
    const second = await counted();
    addWriter(50);
    const third = await counted();
    app.deps.db.$client.run("UPDATE tracks SET artist = NULL WHERE id = ?", [id]);
    const fourth = await counted();

    expect([second.stop, third.stop, fourth.stop].map((stop) => stop - first.stop)).toEqual([1, 2, 3]);
  });

  test("members who do not see splits get nothing about rights, and it does not count for them", async () => {
    const { id, accountId, addWriter } = track();
    addWriter(50);
    const member = addMember(app, accountId, { role: "producer", splits: false });
    const seeing = addMember(app, accountId, { role: "producer", splits: true });
    const path = `/app/library/tracks/${id}/readiness`;

    const blind = (await app.signedIn(member.token)("GET", path)).body.data;
    const all = (await app.signedIn(seeing.token)("GET", path)).body.data;

    const single = async (token: string) =>
      (await app.signedIn(token)("GET", `/app/library/tracks/single?id=${id}`)).body.data.track.readiness;
    expect([await single(member.token), await single(seeing.token)]).toEqual([blind.counts, all.counts]);
    const isOfRights = ({ scope }: Json) => scope === "rights";
    expect(blind.findings.filter(isOfRights)).toEqual([]);
    expect(codesOf(all.findings.filter(isOfRights))).toEqual([
      "splits",
      "ipi_missing",
      "pro_missing",
      "ai_unstated",
    ]);
    expect(all.counts.stop).toBe(blind.counts.stop + 1);
  });

  test("three thirds are the whole", async () => {
    const { findings, addWriter } = track();
    for (const share of [33.33, 33.33, 33.34]) addWriter(share);

    expect(codesOf(await findings())).not.toContain("splits");
  });

  test("a profile has rules, levels and limits of its own", async () => {
    const { findings } = track({ isrc: null });

    expect(found(await findings("sync"), "isrc_missing")).toMatchObject({ level: "warn" });
    expect(codesOf(await findings("sync"))).not.toContain("cover_missing");
    expect(found(await findings("cd"), "sample_rate_for_cd")).toMatchObject({
      level: "stop",
      message: "The file has 48 kHz, 24 bits; a CD has 44.1 kHz, 16 bits.",
    });
    expect(found(await findings("cd"), "isrc_missing")).toMatchObject({ level: "note" });
  });

  test("another account's track is not found, and an unknown profile is refused", async () => {
    const { id, api } = track();
    const stranger = track();

    expect((await stranger.api("GET", `/tracks/${id}/readiness`)).status).toBe(404);
    expect((await api("GET", `/tracks/${id}/readiness?profile=vinyl`)).status).toBe(400);
  });
});

const GRAVITY = ["stop", "warn", "note"];
const byGravity = (one: string, other: string) => GRAVITY.indexOf(one) - GRAVITY.indexOf(other);

describe("limits of a library's own", () => {
  const set = (token: string, body: Json) => app.signedIn(token)("PATCH", "/app/readiness-limits", body);
  const peak = (value: number | null) => ({ profile: "store", rule: "true_peak", value });

  test("count for its tracks at once, in findings and counts, for one purpose, and until they are taken back", async () => {
    const { id, token, api, findings } = track({ measured: { truePeakDbtp: -0.4, integratedLufs: -9 } });
    const counts = async () =>
      (await api("GET", `/tracks/single?id=${id}`)).body.data.track.readiness.warn as number;
    const before = await counts();

    const { status, body } = await set(token, peak(-0.3));

    expect([status, body.data.find(({ rule }: Json) => rule === "true_peak")]).toEqual([
      200,
      {
        profile: "store",
        rule: "true_peak",
        name: "Highest true peak",
        unit: "dBTP",
        least: -12,
        most: 0,
        standard: -1,
        own: -0.3,
      },
    ]);
    expect(codesOf(await findings())).not.toContain("true_peak");
    expect(codesOf(await findings("sync"))).toContain("true_peak");
    expect(await counts()).toBe(before - 1);
    await set(token, peak(-3));
    expect(found(await findings(), "true_peak")).toMatchObject({ level: "warn", limit: -3 });
    await set(token, peak(null));
    expect(await counts()).toBe(before);
  });

  test("do not make what is grave less so", async () => {
    const { token, findings } = track({ measured: { truePeakDbtp: 0.3 } });

    await set(token, peak(0));

    expect(found(await findings(), "true_peak")).toMatchObject({ level: "stop", limit: 0 });
  });

  test.each<[string, Json]>([
    ["out of range", peak(1)],
    ["for a rule without a limit", { profile: "store", rule: "isrc_missing", value: 1 }],
    ["for a rule that the purpose does not ask", { profile: "sync", rule: "cover_small", value: 2000 }],
    ["for an unknown purpose", { profile: "radio", rule: "true_peak", value: -1 }],
  ])("are refused %s", async (_, body) => {
    const { token } = track();

    expect((await set(token, body)).status).toBe(400);
  });

  test("are for those to set who manage the library, and are no other library's", async () => {
    const mine = track({ measured: { truePeakDbtp: -0.4 } });
    const other = track({ measured: { truePeakDbtp: -0.4 } });
    const member = addMember(app, mine.accountId, { role: "producer", splits: true });

    expect((await set(member.token, peak(-0.3))).status).toBe(403);
    await set(mine.token, peak(-0.3));

    expect(codesOf(await mine.findings())).not.toContain("true_peak");
    expect(codesOf(await other.findings())).toContain("true_peak");
  });
});

describe("readiness of several tracks", () => {
  const listOf = (of: ReturnType<typeof track>, ids: readonly string[], kind = "album") =>
    of.api("POST", "/playlists", { name: "Harbour Lights", kind, trackIds: ids });

  test("an album has findings of its own, beside those of its tracks in order", async () => {
    const first = track();
    const { id: second } = addTrackRows(app.deps.db, first.accountId, {
      ...WHOLE,
      isrc: "QZABC2600002",
      measured: { ...WHOLE.measured, sampleRateHz: 44_100, bitDepth: 16, integratedLufs: -8 },
    });
    const { body } = await listOf(first, [second, first.id, second]);
    const albumId = body.data.playlist.id;

    const { status, body: answer } = await first.api("GET", `/playlists/${albumId}/readiness`);

    expect(status).toBe(200);
    const { tracks, findings, counts, trackCount, playlistId, title } = answer.data;
    expect([playlistId, title, trackCount]).toEqual([albumId, "Harbour Lights", 2]);
    expect(tracks.map(({ trackId }: Json) => trackId)).toEqual([second, first.id]);
    expect(found(findings, "rate_mismatch")).toMatchObject({ level: "warn", value: "44.1 kHz, 48 kHz" });
    expect(found(findings, "depth_mismatch")).toMatchObject({ level: "warn", value: "16 bits, 24 bits" });
    expect(found(findings, "loudness_spread")).toMatchObject({ level: "note", value: 6, limit: 4 });
    expect(found(findings, "cover_missing")).toMatchObject({ place: `/library/playlists/${albumId}` });
    for (const each of tracks) expect(codesOf(each.findings)).not.toContain("cover_missing");
    const all = [...findings, ...tracks.flatMap((each: Json) => each.findings)];
    expect(counts.stop).toBe(all.filter(({ level }) => level === "stop").length);
  });

  test("tracks of a playlist answer for their own covers", async () => {
    const one = track();
    const { body } = await listOf(one, [one.id], "playlist");

    const { body: answer } = await one.api("GET", `/playlists/${body.data.playlist.id}/readiness`);

    expect(codesOf(answer.data.tracks[0].findings)).toContain("cover_missing");
    expect(codesOf(answer.data.findings)).not.toContain("cover_missing");
  });

  test("a selection leaves out what is not in the library", async () => {
    const mine = track();
    const foreign = track();

    const { status, body } = await app.signedIn(mine.token)("POST", "/app/readiness", {
      trackIds: [foreign.id, mine.id, mine.id],
      profile: "sync",
    });

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ profile: "sync", playlistId: null, trackCount: 1 });
    expect(body.data.tracks.map(({ trackId }: Json) => trackId)).toEqual([mine.id]);
  });

  test("another account's playlist is not found", async () => {
    const mine = track();
    const foreign = track();
    const { body } = await listOf(foreign, [foreign.id]);

    const { status, body: refusal } = await mine.api("GET", `/playlists/${body.data.playlist.id}/readiness`);

    expect([status, refusal.messageCode ?? refusal.code]).toEqual([404, expect.anything()]);
  });
});

describe("the rules as data", () => {
  test("docs/readiness.md has every rule with its levels, its words and its source", async () => {
    const page = await Bun.file(new URL("../../docs/readiness.md", import.meta.url)).text();

    expect(page).toContain(`\n${readinessTable().join("\n")}\n`);
  });

  test("profiles name rules that exist, and give limits only to rules with one comparison of numbers", () => {
    const rules = new Map(RULES.map((rule) => [rule.code, rule]));
    for (const profile of PROFILES)
      for (const [code, own] of Object.entries(profile.rules)) {
        const rule = rules.get(code);
        expect([profile.id, code, rule !== undefined]).toEqual([profile.id, code, true]);
        if (own?.limit !== undefined)
          expect(rule?.fails.map(({ above, below }) => typeof (above ?? below))).toEqual(["number"]);
      }
  });

  test("a limit that can be set lies where it can be set", () => {
    for (const { code, fails, adjust } of RULES) {
      if (!adjust) continue;
      const [first] = fails.filter(({ level }) => level === undefined);
      const standard = first?.above ?? first?.below ?? Number.NaN;
      expect([code, standard >= adjust.least && standard <= adjust.most]).toEqual([code, true]);
    }
  });

  test("each rule has a code of its own, compares something, and is in some profile", () => {
    expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length);
    for (const { code, fails } of RULES) {
      expect([code, PROFILES.some(({ rules }) => code in rules)]).toEqual([code, true]);
      for (const failing of fails)
        expect([code, ["above", "below", "is", "isNot"].filter((each) => each in failing).length]).toEqual([
          code,
          1,
        ]);
    }
  });
});
