import { eq } from "drizzle-orm";
import { transact } from "../../../db/client.ts";
import { briefSubmissions, briefs, composers, tracks } from "../../../db/schema.ts";
import { type Random, randomFrom } from "../../../src/demo/dsp/random.ts";
import type { Deps } from "../../../src/kernel/deps.ts";
import { newId, newToken } from "../../../src/kernel/ids.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/time.ts";
import type { LeftOut } from "../../../src/modules/library/analytics/service.ts";
import { recordActivity } from "../../../src/modules/library/analytics/service.ts";
import { shareEntity } from "../../../src/modules/sharing/shares/service.ts";
import { pick } from "../library.ts";

/** How much the owner's desk holds. */
export type DeskSize = {
  /** Submissions to each brief, by its name. */
  submissions: Readonly<Record<string, number>>;
  composers: number;
  /** Rows of listening in the last 90 days. */
  plays: number;
  /** So long were the longest of them; left out: 180. */
  longestSec?: number;
};

const SPAN_DAYS = 90;
const LINKS = 40;
/** One listen in so many was too short, or a machine's. */
const LEFT_OUT: Readonly<Record<number, LeftOut>> = { 3: "short", 7: "machine", 9: "repeat" };
const NAMES = ["Ada", "Ida", "Jonas", "Mara", "Tomas", "Ines", "Olu", "Kai", "Rosa", "Nils", "Vera", "Emil"];
const FAMILIES = ["Berg", "Lind", "Weir", "Holm", "Sørensen", "Okafor", "Moreau", "Tanaka", "Novak", "Silva"];

/**
 * Fills the desk of an account that has tracks: open briefs with submissions of its own tracks, composers, some of whom look
 * alike, links, and what was heard through them. Random, the same on every call.
 */
export async function furnishDesk(deps: Deps, ownerId: string, size: DeskSize): Promise<void> {
  const random = randomFrom("bench desk");
  const own = deps.db
    .select({ id: tracks.id })
    .from(tracks)
    .where(eq(tracks.ownerId, ownerId))
    .limit(Math.max(200, ...Object.values(size.submissions)))
    .all()
    .map(({ id }) => id);
  addBriefs(deps, ownerId, own, size.submissions);
  addComposers(deps, ownerId, size.composers, random);
  const links: string[] = [];
  for (let number = 0; number < LINKS; number++) {
    const recipient = number % 4 === 0 ? null : nameOf(number);
    links.push(
      (
        await shareEntity(
          deps,
          { accountId: ownerId },
          { trackId: own[number % own.length] ?? "", recipient },
        )
      ).id,
    );
  }
  addPlays(deps, ownerId, {
    own,
    links,
    count: size.plays,
    longestSec: size.longestSec ?? 180,
    random,
  });
}

const nameOf = (number: number): string =>
  `${NAMES[number % NAMES.length]} ${FAMILIES[Math.floor(number / NAMES.length) % FAMILIES.length]}`;

function addBriefs(
  { db, now }: Deps,
  ownerId: string,
  own: readonly string[],
  wanted: DeskSize["submissions"],
): void {
  transact(db, (tx) => {
    for (const [name, count] of Object.entries(wanted)) {
      const [briefId, at] = [newId("brf"), now()];
      const row = { id: briefId, ownerId, name, status: "open", token: newToken(16) } as const;
      const description = "Dark and slow techno, no vocals";
      tx.insert(briefs)
        .values({ ...row, description, createdAt: at, updatedAt: at })
        .run();
      for (let number = 0; number < count; number++)
        tx.insert(briefSubmissions)
          .values({
            id: newId("sub"),
            briefId,
            batchId: newId("bat"),
            type: "track",
            trackId: own[number % own.length] ?? null,
            submitterName: nameOf(number),
            submitterEmail: `sender${number}@example.com`,
            message: "I hope you like it.",
            kind: "free",
            state: "new",
            createdAt: at - number * MINUTE_MS,
          })
          .run();
    }
  });
}

function addComposers({ db, now }: Deps, ownerId: string, count: number, random: Random): void {
  transact(db, (tx) => {
    for (let number = 0; number < count; number++) {
      const createdAt = now() - number * MINUTE_MS;
      tx.insert(composers)
        .values({ id: newId("shr"), ownerId, ...personOf(number, random), createdAt })
        .run();
    }
  });
}

/** The first 120 of the names; then the names again with numbers. Some of what is needed is missing. */
function personOf(number: number, random: Random) {
  const name = nameOf(number);
  return {
    fullName: number < NAMES.length * FAMILIES.length ? name : `${name} ${number}`,
    email: random() < 0.8 ? `composer${number}@example.com` : null,
    pro: random() < 0.7 ? pick(["STIM", "PRS", "GEMA", "ASCAP"], random) : null,
    ipi: random() < 0.5 ? "00017798450" : null,
  };
}

type Plays = {
  own: readonly string[];
  links: readonly string[];
  count: number;
  longestSec: number;
  random: Random;
};

function addPlays({ db, now }: Deps, ownerId: string, plays: Plays): void {
  const { own, links, count, longestSec, random } = plays;
  const actor = { type: "visitor", name: null } as const;
  transact(db, (tx) => {
    for (let number = 0; number < count; number++) {
      // A few tracks are heard most.
      const place = Math.floor((own.length ** random() - 1) % own.length);
      const stoppedSec = Math.round(longestSec * random());
      recordActivity(
        tx,
        {
          ownerId,
          entity: "track",
          entityId: own[place] ?? "",
          metric: random() < 0.75 ? "plays" : "views",
          actor,
          shareId: pick(links, random),
          visit: `visit ${number % 900}`,
          leftOut: LEFT_OUT[number % 25],
          heardSec: stoppedSec,
          heard: JSON.stringify([[0, stoppedSec]]),
          stoppedSec,
        },
        Math.floor(now() - SPAN_DAYS * DAY_MS * (1 - number / count)),
      );
    }
  });
}
