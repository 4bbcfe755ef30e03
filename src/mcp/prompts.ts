import type { PromptEntry } from "./surface.ts";

/** Prompts that a user picks from a list. Each says which tools to use, and what to ask before writing. */
export const PROMPTS: readonly PromptEntry[] = [
  {
    listed: {
      name: "pitch_playlist",
      title: "Pitch a playlist to a brief",
      description:
        "Find the tracks that fit a brief, propose an order, and make a playlist with a link to send",
      arguments: [
        { name: "brief", description: "The music wanted, in plain words", required: true },
        { name: "tracks", description: "How many tracks, 1 to 50; 10 when left out" },
      ],
    },
    get: ({ brief = "", tracks = "10" }) =>
      ask(
        "Pitch a playlist to a brief",
        `Put together a playlist of ${tracks} tracks from my library for this brief:

${brief}

1. Call search_tracks with the brief as query. Put into bpmMin, bpmMax, durationMinSec, durationMaxSec, hasVocals, key \
and language only what the brief demands; leave the rest to the words. Each call costs one search credit: two or three \
searches should do.
2. Choose the tracks that fit best by score and reason. If fewer tracks fit than requested, say so; do not add others.
3. Show me the order, with one line per track on why it is there, and wait for my yes.
4. Then call create_playlist with suggestedName or a better name, a description of two sentences for its recipient, \
and the ids in order. Give me its publicLink.`,
      ),
  },
  {
    listed: {
      name: "tag_cleanup",
      title: "Clean up tags",
      description: "Review tracks with missing or poor tags, and propose better tags from the taxonomy",
      arguments: [{ name: "tracks", description: "How many tracks to look at, 1 to 200; 50 when left out" }],
    },
    get: ({ tracks = "50" }) =>
      ask(
        "Clean up tags",
        `Clean up the tags of the newest ${tracks} tracks of my library.

1. Call list_tracks (limit ${tracks}, newest first) and get_tag_taxonomy once.
2. For tracks without genres or moods call get_suggested_tags. When analysisStatus is pending or processing, use \
wait_for_auto_tag; when needsRetagging is true, offer trigger_auto_tag.
3. Show me a table: track, tags now, tags proposed. Propose only names of the taxonomy, and only what the suggestions \
or the track's details support. Point out free tags that are different spellings of the same word.
4. Wait for my yes, for all or for some. Then call apply_suggested_tags where I accept the suggestion unchanged, and \
update_track_tags where I changed it. Each category sent replaces the existing one.`,
      ),
  },
  {
    listed: {
      name: "weekly_report",
      title: "Weekly report",
      description: "What happened to the music this week, and what to do about it",
    },
    get: () =>
      ask(
        "Weekly report",
        `Write a short report on my library's week.

1. Call get_dashboard for the week so far, then get_top_tracks with metric plays, and with metric downloads, since the \
Monday of this week.
2. Call list_briefs, and get_brief_submissions for each that is active.
3. Write at most one page: what was uploaded, what was played, downloaded, saved and commented, which tracks lead, what \
was submitted to which brief, and which deadlines are near.
4. End with at most three things to do next. Name figures as they are; say so when there is nothing to report.`,
      ),
  },
];

const ask = (description: string, text: string) => ({
  description,
  messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
});
