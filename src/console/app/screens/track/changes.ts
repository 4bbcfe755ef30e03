import { noteSaved } from "../../actions/others.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed, optimistically } from "../../api/queries.ts";
import { type Details, type Track, trackQuery } from "./queries.ts";

/** Writes details of a track, and shows them at once. @throws ApiError. */
export async function writeDetails(trackId: string, details: Details): Promise<void> {
  await optimistically(
    trackQuery(trackId),
    (answer) => {
      const { track } = answer.data;
      if (!track) return answer;
      const shown = { ...track, audio_profile: { ...track.audio_profile, ...details } } as Track;
      return { ...answer, data: { ...answer.data, track: shown } };
    },
    () =>
      dataOf(api.PATCH("/app/library/tracks/details", { params: { query: { id: trackId } }, body: details })),
  );
  for (const [field, value] of Object.entries(details))
    noteSaved({
      trackId,
      field,
      text: String(value ?? ""),
      textIn: ({ audio_profile }) => String(audio_profile[field as keyof typeof audio_profile] ?? ""),
      putBack: () => writeDetails(trackId, { [field]: value } as Details),
    });
  changed("tracks", [trackId]);
}

/** Has the active version measured again, and tags suggested. */
export async function analyseAgain(trackId: string): Promise<void> {
  try {
    await dataOf(api.POST("/app/library/tracks/auto-tag", { body: { trackId } }));
  } finally {
    changed("analysis", [trackId]);
  }
}

/** Shows or hides a version in the library. */
export async function setVisible(trackId: string, versionId: string, visible: boolean): Promise<void> {
  try {
    await dataOf(
      api.PATCH("/app/library/tracks/{trackId}/versions/{versionId}", {
        params: { path: { trackId, versionId } },
        body: { visible },
      }),
    );
  } finally {
    changed("versions", [trackId]);
    changed("tracks", [trackId]);
  }
}
