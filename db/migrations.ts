import type { Database } from "bun:sqlite";
import foundation from "./migrations/0001-foundation.sql" with { type: "text" };
import contract from "./migrations/0002-contract.sql" with { type: "text" };
import activity from "./migrations/0003-activity.sql" with { type: "text" };
import recordings from "./migrations/0004-recordings.sql" with { type: "text" };
import tagModels from "./migrations/0005-tag-models.sql" with { type: "text" };
import search from "./migrations/0006-search.sql" with { type: "text" };
import oauth from "./migrations/0007-oauth.sql" with { type: "text" };
import webhooks from "./migrations/0008-webhooks.sql" with { type: "text" };
import pages from "./migrations/0009-pages.sql" with { type: "text" };
import embeddedCovers from "./migrations/0010-embedded-covers.sql" with { type: "text" };
import encodings from "./migrations/0011-encodings.sql" with { type: "text" };
import searchSnapshots from "./migrations/0012-search-snapshots.sql" with { type: "text" };
import webhookPauses from "./migrations/0013-webhook-pauses.sql" with { type: "text" };
import playlistCounts from "./migrations/0014-playlist-counts.sql" with { type: "text" };
import learnedModels from "./migrations/0015-learned-models.sql" with { type: "text" };
import store from "./migrations/0016-store.sql" with { type: "text" };
import bin from "./migrations/0017-bin.sql" with { type: "text" };
import trackRows from "./migrations/0018-track-rows.sql" with { type: "text" };
import undo from "./migrations/0019-undo.sql" with { type: "text" };
import passwordResets from "./migrations/0020-password-resets.sql" with { type: "text" };
import accountChanges from "./migrations/0021-account-changes.sql" with { type: "text" };
import ownerUploads from "./migrations/0022-owner-uploads.sql" with { type: "text" };
import heard from "./migrations/0023-heard.sql" with { type: "text" };
import firstSteps from "./migrations/0024-first-steps.sql" with { type: "text" };
import transfers from "./migrations/0025-transfers.sql" with { type: "text" };
import uploadChanges from "./migrations/0026-upload-changes.sql" with { type: "text" };
import nameChanges from "./migrations/0027-name-changes.sql" with { type: "text" };
import versionNames from "./migrations/0028-version-names.sql" with { type: "text" };
import libraryNames from "./migrations/0029-library-names.sql" with { type: "text" };
import assistantCalls from "./migrations/0030-assistant-calls.sql" with { type: "text" };
import keyScopes from "./migrations/0031-key-scopes.sql" with { type: "text" };
import listening from "./migrations/0033-listening.sql" with { type: "text" };
import inbox from "./migrations/0034-inbox.sql" with { type: "text" };
import insights from "./migrations/0035-insights.sql" with { type: "text" };
import visitsAndBrands from "./migrations/0036-visits-and-brands.sql" with { type: "text" };
import shareDetails from "./migrations/0037-share-details.sql" with { type: "text" };
import intakes from "./migrations/0038-intakes.sql" with { type: "text" };
import operator from "./migrations/0041-operator.sql" with { type: "text" };
import bucketRemovals from "./migrations/0042-bucket-removals.sql" with { type: "text" };
import workElsewhere from "./migrations/0043-work-elsewhere.sql" with { type: "text" };
import thanks from "./migrations/0044-thanks.sql" with { type: "text" };
import packOrder from "./migrations/0046-pack-order.sql" with { type: "text" };
import usesOfLinks from "./migrations/0047-uses-of-links.sql" with { type: "text" };
import heardVersions from "./migrations/0049-heard-versions.sql" with { type: "text" };
import soundVectors from "./migrations/0050-sound-vectors.sql" with { type: "text" };
import albums from "./migrations/0051-albums.sql" with { type: "text" };
import albumArrivals from "./migrations/0052-album-arrivals.sql" with { type: "text" };
import turnedLinks from "./migrations/0054-turned-links.sql" with { type: "text" };
import waitingTracks from "./migrations/0055-waiting-tracks.sql" with { type: "text" };
import tracksByAlbum from "./migrations/0057-tracks-by-album.sql" with { type: "text" };
import waitingUploads from "./migrations/0058-waiting-uploads.sql" with { type: "text" };
import waitingArrivals from "./migrations/0059-waiting-arrivals.sql" with { type: "text" };
import smallChunks from "./migrations/0060-small-chunks.sql" with { type: "text" };
import mixes from "./migrations/0061-mixes.sql" with { type: "text" };
import people from "./migrations/0062-people.sql" with { type: "text" };
import madeBy from "./migrations/0063-made-by.sql" with { type: "text" };
import ofEachPerson from "./migrations/0064-of-each-person.sql" with { type: "text" };
import signIn from "./migrations/0067-sign-in.sql" with { type: "text" };
import mixOffers from "./migrations/0070-mix-offers.sql" with { type: "text" };
import invitations from "./migrations/0071-invitations.sql" with { type: "text" };
import reviewRounds from "./migrations/0072-review-rounds.sql" with { type: "text" };
import notesOfTracks from "./migrations/0073-notes-of-tracks.sql" with { type: "text" };
import reviewsByVersion from "./migrations/0074-reviews-by-version.sql" with { type: "text" };
import mail from "./migrations/0076-mail.sql" with { type: "text" };
import shareAnswers from "./migrations/0078-share-answers.sql" with { type: "text" };
import invitationMails from "./migrations/0079-invitation-mails.sql" with { type: "text" };
import placesInBin from "./migrations/0081-places-in-bin.sql" with { type: "text" };
import mailStopKey from "./migrations/0082-mail-stop-key.sql" with { type: "text" };
import families from "./migrations/0083-families.sql" with { type: "text" };
import rights from "./migrations/0084-rights.sql" with { type: "text" };
import readiness from "./migrations/0085-readiness.sql" with { type: "text" };
import deliveryPackages from "./migrations/0086-delivery-packages.sql" with { type: "text" };
import lyrics from "./migrations/0087-lyrics.sql" with { type: "text" };
import ledger from "./migrations/0088-ledger.sql" with { type: "text" };
import familyQuestions from "./migrations/0089-family-questions.sql" with { type: "text" };
import liveFamilyQuestions from "./migrations/0089-live-family-questions.sql" with { type: "text" };
import linksOfSets from "./migrations/0091-links-of-sets.sql" with { type: "text" };
import liveDeliveries from "./migrations/0092-live-deliveries.sql" with { type: "text" };
import ledgerStamps from "./migrations/0097-ledger-stamps.sql" with { type: "text" };
import readinessLimits from "./migrations/0097-readiness-limits.sql" with { type: "text" };
import sumsOfStems from "./migrations/0097-sums-of-stems.sql" with { type: "text" };
import kinshipComparisons from "./migrations/0098-kinship-comparisons.sql" with { type: "text" };
import passages from "./migrations/0099-passages.sql" with { type: "text" };
import structures from "./migrations/0105-structures.sql" with { type: "text" };
import heardPlaces from "./migrations/0110-heard-places.sql" with { type: "text" };
import markedCopies from "./migrations/0115-marked-copies.sql" with { type: "text" };
import marksFailed from "./migrations/0116-marks-failed.sql" with { type: "text" };
import structureChanges from "./migrations/0125-structure-changes.sql" with { type: "text" };
import passagesByVersion from "./migrations/0126-passages-by-version.sql" with { type: "text" };
import confirmation from "./migrations/0135-confirmation.sql" with { type: "text" };
import players from "./migrations/0140-players.sql" with { type: "text" };
import listens from "./migrations/0141-listens.sql" with { type: "text" };
import pockets from "./migrations/0145-pockets.sql" with { type: "text" };
import marksOfPackages from "./migrations/0150-marks-of-packages.sql" with { type: "text" };
import heardParts from "./migrations/0160-heard-parts.sql" with { type: "text" };
import structuresOrNull from "./migrations/0190-structures-or-null.sql" with { type: "text" };
import { newestSchema } from "./newest.ts";
import { makeAnew, type Remake } from "./remake.ts";
import { loadVectors } from "./vectors.ts";

/** Every migration, in the order applied. Never edit one: a database stores only how many it has had. */
const MIGRATIONS: readonly (string | Remake)[] = [
  foundation,
  contract,
  activity,
  recordings,
  tagModels,
  search,
  oauth,
  webhooks,
  pages,
  embeddedCovers,
  encodings,
  searchSnapshots,
  webhookPauses,
  playlistCounts,
  learnedModels,
  store,
  bin,
  trackRows,
  undo,
  passwordResets,
  accountChanges,
  ownerUploads,
  heard,
  firstSteps,
  transfers,
  uploadChanges,
  nameChanges,
  versionNames,
  libraryNames,
  assistantCalls,
  keyScopes,
  listening,
  inbox,
  insights,
  visitsAndBrands,
  shareDetails,
  intakes,
  operator,
  bucketRemovals,
  packOrder,
  workElsewhere,
  usesOfLinks,
  thanks,
  albums,
  turnedLinks,
  soundVectors,
  albumArrivals,
  waitingTracks,
  tracksByAlbum,
  waitingUploads,
  waitingArrivals,
  heardVersions,
  smallChunks,
  mixes,
  { remake: people, tables: ["accounts", "password_resets", "sessions"] },
  madeBy,
  ofEachPerson,
  mixOffers,
  signIn,
  invitations,
  reviewRounds,
  reviewsByVersion,
  notesOfTracks,
  mail,
  invitationMails,
  shareAnswers,
  placesInBin,
  mailStopKey,
  families,
  rights,
  deliveryPackages,
  lyrics,
  familyQuestions,
  ledger,
  linksOfSets,
  readiness,
  liveFamilyQuestions,
  liveDeliveries,
  kinshipComparisons,
  sumsOfStems,
  ledgerStamps,
  readinessLimits,
  passages,
  structures,
  heardPlaces,
  markedCopies,
  structureChanges,
  passagesByVersion,
  confirmation,
  marksFailed,
  players,
  listens,
  marksOfPackages,
  pockets,
  heardParts,
  structuresOrNull,
];

/** The first schema whose file says by its application id that it is ours. */
export const MARKED_SINCE = MIGRATIONS.indexOf(store) + 1;

/** The schema that this program reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Another process may be upgrading a large library. */
const UPGRADE_WAIT_MS = 10 * 60_000;

/**
 * Brings a database to the newest schema, in one transaction: a process that is killed leaves the schema that ran before.
 * Every migration must therefore work inside a transaction. Foreign keys are on, unless a table is made anew: they
 * cannot be switched within a transaction, so they are off for all of that upgrade.
 *
 * @param newest An earlier schema, to make a library as an earlier version left it.
 * @throws Error when the database was written by a newer version of the program, or when a {@link Remake} would lose rows.
 */
export function migrate(client: Database, newest = SCHEMA_VERSION): void {
  const before = schemaVersion(client);
  if (before === newest) return;
  loadVectors(client);
  const waitMs = numberOf(client, "busy_timeout");
  const hasKeys = numberOf(client, "foreign_keys") === 1;
  client.run(`PRAGMA busy_timeout = ${UPGRADE_WAIT_MS}`);
  if (MIGRATIONS.slice(before, newest).some((each) => typeof each !== "string"))
    client.run("PRAGMA foreign_keys = OFF");
  try {
    client
      .transaction(() => {
        // Another process may have migrated it while this one waited for the lock.
        const applied = schemaVersion(client);
        if (applied > MIGRATIONS.length)
          throw new Error(
            `The database has schema ${applied}, this program knows ${MIGRATIONS.length}: it is newer`,
          );
        const whole = applied === 0 && newest === SCHEMA_VERSION ? newestSchema() : undefined;
        if (whole !== undefined) client.run(whole);
        for (let version = schemaVersion(client); version < newest; version++) {
          apply(client, MIGRATIONS[version] ?? "");
          client.run(`PRAGMA user_version = ${version + 1}`);
        }
      })
      .immediate();
  } finally {
    if (hasKeys) client.run("PRAGMA foreign_keys = ON");
    client.run(`PRAGMA busy_timeout = ${waitMs}`);
  }
}

function apply(client: Database, migration: string | Remake): void {
  if (typeof migration === "string") client.run(migration);
  else makeAnew(client, migration);
}

/** How many migrations a database has had, counted from 0. */
function schemaVersion(client: Database): number {
  return numberOf(client, "user_version");
}

function numberOf(client: Database, pragma: string): number {
  return Number(client.query(`PRAGMA ${pragma}`).values()[0]?.[0] ?? 0);
}
