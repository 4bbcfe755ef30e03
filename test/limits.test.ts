import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { specOf } from "../src/command-line/commands.ts";
import { IDEMPOTENCY_HOURS, JSON_LIMIT_BYTES, MAX_FILE_SIZE } from "../src/kernel/limits.ts";
import { sizeInWords, spelt } from "../src/kernel/text.ts";
import { PASSED_LISTED_DAYS } from "../src/modules/briefs/inbox/shapes.ts";
import {
  MAX_ITEMS,
  MAX_SENT_BY_VISITOR,
  MAX_SENT_TO_BRIEF,
  MAX_SUBMISSIONS_PER_HOUR,
} from "../src/modules/briefs/submissions/shapes.ts";
import { BIN_DAYS } from "../src/modules/library/bin/shapes.ts";
import { MAX_TRACK_IDS } from "../src/modules/library/playlists/shapes.ts";
import { MAX_FILES } from "../src/modules/library/tracks/upload/shapes.ts";
import { WAITING_DAYS } from "../src/modules/library/uploads/shapes.ts";
import { MAX_LABEL, MAX_NAME } from "../src/modules/library/versions/shapes.ts";
import { CALLS_KEPT_DAYS } from "../src/modules/outward/assistant/shapes.ts";
import {
  BOTH_SECRETS_HOURS,
  DELIVERIES_KEPT_DAYS,
  GIVE_UP_DAYS,
} from "../src/modules/outward/webhooks/shapes.ts";
import {
  MAX_KEY_DAYS,
  MAX_LIVE_KEYS,
  MAX_PLATFORM_KEY_DAYS,
  USAGE_KEPT_DAYS,
} from "../src/modules/people/keys/shapes.ts";
import { GRANT_IDLE_DAYS } from "../src/modules/people/oauth/shapes.ts";
import {
  MAX_PASSWORD,
  MIN_PASSWORD,
  SESSION_IDLE_DAYS,
  SESSION_LONGEST_DAYS,
} from "../src/modules/people/people/shapes.ts";
import {
  INVITATION_DAYS,
  MAX_INVITATIONS,
  MAX_LIBRARIES,
  MAX_MEMBERS,
} from "../src/modules/people/team/shapes.ts";
import { PASSWORD_KEPT_DAYS } from "../src/modules/sharing/shares/shapes.ts";
import { bundleConsole } from "../src/pages/bundle.ts";
import { ROOT, readSource, sourceFiles } from "./support/source.ts";

const grouped = (count: number) => count.toLocaleString("en");

/** What the pages for people say of limits. */
const SAID: readonly [page: string, sentence: string][] = [
  ["README.md", `**Upload** up to ${MAX_FILES} files of ${MAX_FILE_SIZE} each`],
  ["docs/api.md", `A JSON body may hold at most ${sizeInWords(JSON_LIMIT_BYTES)}`],
  ["docs/api.md", `For ${IDEMPOTENCY_HOURS} hours a repeated request`],
  ["docs/api.md", `may have ${MAX_FILE_SIZE}. Every byte`],
  ["docs/api.md", `After ${WAITING_DAYS} days an undecided file`],
  ["docs/api.md", `deleted for good ${BIN_DAYS} days later`],
  ["docs/assistants.md", `noted for ${CALLS_KEPT_DAYS} days`],
  ["docs/assistants.md", `After ${GRANT_IDLE_DAYS} days without use`],
  ["docs/assistants.md", `| refresh token | ${GRANT_IDLE_DAYS} days`],
  ["docs/console.md", `after ${WAITING_DAYS} days it becomes a track of its own`],
  ["docs/console.md", `under *Recently deleted* for ${BIN_DAYS} days`],
  ["docs/console.md", `for ${PASSED_LISTED_DAYS} days`],
  ["docs/contract.md", `for ${IDEMPOTENCY_HOURS} hours a repeat gets the first answer`],
  ["docs/contract.md", `has 1 to ${MAX_NAME} characters, its label at most ${MAX_LABEL}`],
  ["docs/contract.md", `One request names at most ${grouped(MAX_TRACK_IDS)} tracks`],
  ["docs/contract.md", `is kept for ${USAGE_KEPT_DAYS} days`],
  ["docs/contract.md", `last ${SESSION_IDLE_DAYS} days from their last use, ${SESSION_LONGEST_DAYS} at most`],
  ["docs/contract.md", `both sign for ${BOTH_SECRETS_HOURS} hours`],
  ["docs/contract.md", `${spelt(GIVE_UP_DAYS)} days of nothing but failures`],
  ["docs/contract.md", `at most ${MAX_LIVE_KEYS} live keys`],
  ["docs/deploy.md", `A form may hold ${MAX_FILES} files of ${MAX_FILE_SIZE}`],
  ["docs/pages.md", `up to ${MAX_ITEMS} files and links together, ${MAX_FILE_SIZE} per file`],
  [
    "docs/pages.md",
    `| one address | ${MAX_SUBMISSIONS_PER_HOUR} submissions per hour; ${MAX_SENT_BY_VISITOR.files} files and ${sizeInWords(MAX_SENT_BY_VISITOR.bytes)} per day |`,
  ],
  [
    "docs/pages.md",
    `| one brief | ${grouped(MAX_SENT_TO_BRIEF.files)} files and ${sizeInWords(MAX_SENT_TO_BRIEF.bytes)} per day |`,
  ],
  ["docs/pages.md", `is remembered for ${PASSWORD_KEPT_DAYS} days`],
  ["docs/security.md", `a session ends ${SESSION_IDLE_DAYS} days after its last use`],
  [
    "docs/team.md",
    `at most ${MAX_MEMBERS} members and ${MAX_INVITATIONS} open invitations, and a person at most ${MAX_LIBRARIES} libraries`,
  ],
  ["docs/team.md", `for that address, for ${spelt(INVITATION_DAYS)} days`],
  ["docs/webhooks.md", `deliveries of ${DELIVERIES_KEPT_DAYS} days`],
  ["docs/webhooks.md", `signs beside it for ${BOTH_SECRETS_HOURS} hours`],
];

test.each(SAID)("%s says the limit in force: %s", async (page, sentence) => {
  const text = await Bun.file(join(ROOT, page)).text();

  expect(text.replaceAll(/\s+/g, " ")).toContain(sentence);
});

test("the command line takes what the operations take", () => {
  const daysOf = (name: string) => specOf(name as "key create").options?.days?.whole?.to;

  expect([daysOf("key create"), daysOf("platform-key create")]).toEqual([
    MAX_KEY_DAYS,
    MAX_PLATFORM_KEY_DAYS,
  ]);
  expect(specOf("account create").options?.password?.about).toContain(
    `${MIN_PASSWORD} to ${MAX_PASSWORD} characters`,
  );
});

/** Bounds of what programs of our own send, and of what an export may hold; no person meets them. */
const OF_PROGRAMS = /analysis\/elsewhere\/|ownership\/special-values|search\/llm\//;

describe("limits of what people write", () => {
  test("a limit is a named number, which its form takes too", async () => {
    const bare: string[] = [];
    for (const file of sourceFiles.filter((each) => each.startsWith("src/") && !OF_PROGRAMS.test(each)))
      for (const [index, line] of (await readSource(file)).split("\n").entries())
        if (/\b(max(Length|Items)|minLength)[:=] ?\{?\d{2}|minLength[:=] ?\{?[4-9]/.test(line))
          bare.push(`${file}:${index + 1}`);

    // A place in a song, as it is typed: no text that is kept.
    expect(bare.map((place) => place.replace(/:\d+$/, ""))).toEqual(["src/pages/player/comments.tsx"]);
  });

  test("a module keeps what it keeps for as long as its shapes say", async () => {
    const kept: string[] = [];
    for (const file of sourceFiles.filter((each) => /^src\/modules\/(?!.*shapes\.ts$)/.test(each)))
      for (const line of (await readSource(file)).split("\n"))
        if (/^(export )?const \w+ = (\(?\d+ \* )?DAY_MS\b/.test(line)) kept.push(`${file}: ${line}`);

    expect(kept.filter((each) => !OF_CALENDARS.test(each))).toEqual([]);
  });

  test("the console's script has the numbers of the shapes, and nothing else of them", async () => {
    const { files } = await bundleConsole();
    const script = files.map(({ text }) => text).join("\n");

    expect(script).not.toContain("maxLength:{");
    expect(script).not.toContain("TypeBox");
    expect(script).toMatch(new RegExp(`[=,]${MIN_PASSWORD}[,;]`));
  });
});

/** Weeks of a calendar, schedules, and waits before something is tried again: nothing is kept so long. */
const OF_CALENDARS =
  /: const (WEEK_MS|FIRST_MONDAY|EVERY_MS|RETRY_AFTER_MS|LONGEST_RETRY_AFTER_MS|RIGHT_LIFETIME_MS|CONSOLE_MS) /;
