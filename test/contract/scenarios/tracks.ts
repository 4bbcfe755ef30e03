import { hugeForm, newAudio, PNG } from "../files.ts";
import { newWord } from "../library.ts";
import { type Scenarios, unknownId } from "./scenario.ts";

const audioFile = () => new File([newAudio()], `${newWord("take")}.wav`, { type: "audio/wav" });
const textFile = () => new File(["la la la"], "words.wav", { type: "audio/wav" });
const noTrack = unknownId("track");
const png = PNG.toString("base64");

/** Section 4, "Tracks". */
export const trackScenarios: Scenarios = {
  "GET /tracks": {
    happy: async (person) => {
      await person.analysed();
      return {};
    },
  },
  "GET /tracks/count": { happy: async () => ({}) },
  "GET /tracks/single": { happy: async (person) => ({ query: { id: (await person.analysed())[0] } }) },
  "POST /tracks/upload": {
    happy: async () => ({ form: { files: [audioFile()] } }),
    refusals: {
      "400 missing_file": async () => ({ form: { visible: "true" } }),
      "400 too_many_files": async () => ({ form: { files: Array.from({ length: 26 }, audioFile) } }),
      "400 invalid_file_type": async () => ({ form: { files: [audioFile(), textFile()] } }),
      "413 file_too_large": async () => ({ stream: hugeForm("files") }),
    },
    sized: { "form.files": (size) => Array.from({ length: size }, audioFile) },
    refusedAs: { "form.files": ["missing_file", "too_many_files"] },
    defaults: { "form.visible": ({ uploaded }) => uploaded[0].visible === false },
  },
  "POST /tracks/upload/url": {
    happy: async (_, { files }) => ({
      body: {
        items: [
          { fileUrl: `${files}/a.wav`, audioProfile: { title: "A" }, details: { album: "B" } },
          { fileUrl: `${files}/missing` },
        ],
      },
    }),
    sized: {
      "body.items": (size, { body }) => Array.from({ length: size }, () => body?.items[0]),
    },
    defaults: { "body.items.0.visible": ({ uploaded }) => uploaded[0].visible === false },
  },
  "PATCH /tracks/details": {
    happy: async (person) => ({
      query: { id: await person.track() },
      body: { album: "Late Shift", bpm: 120 },
    }),
    refusals: { "404 track_not_found": async () => ({ query: { id: noTrack }, body: { album: "x" } }) },
  },
  "GET /tracks/duplicates": {
    happy: async (person) => {
      await person.analysed();
      return {};
    },
  },
  "GET /tracks/submissions": {
    happy: async (person) => {
      const id = await person.track();
      await person.submit(await person.brief(), id);
      return { query: { id } };
    },
    inBody: { TRACK_NOT_FOUND: async () => ({ query: { id: noTrack } }) },
  },
  "POST /tracks/cover-art": {
    happy: async (person) => ({ body: { trackId: await person.track(), base64: png } }),
    refusals: {
      "400 missing_image": async (person) => ({ body: { trackId: await person.track() } }),
      "400 invalid_image_url": async (person) => ({
        body: { trackId: await person.track(), url: "http://127.0.0.2/cover.png" },
      }),
      "400 invalid_image_type": async (person, { files }) => ({
        body: { trackId: await person.track(), url: `${files}/page` },
      }),
      "400 image_download_failed": async (person, { files }) => ({
        body: { trackId: await person.track(), url: `${files}/missing` },
      }),
      "404 track_not_found": async () => ({ body: { trackId: noTrack, base64: png } }),
    },
  },
  "PUT /tracks/shareholders": {
    happy: async (person) => {
      const { id } = await person.composer();
      const shareholders = [{ shareholderId: id, share: 50, role: "Writer" }];
      return { query: { id: await person.track() }, body: { shareholders } };
    },
    refusals: {
      "400 validation_failed": async (person) => {
        const links = [await person.composer(), await person.composer()];
        const shareholders = links.map(({ id }) => ({ shareholderId: id, share: 51, role: "Writer" }));
        return { query: { id: await person.track() }, body: { shareholders } };
      },
      "404 track_not_found": async () => ({ query: { id: noTrack }, body: { shareholders: [] } }),
      "404 composer_not_found": async (person) => ({
        query: { id: await person.track() },
        body: { shareholders: [{ shareholderId: unknownId("composer"), share: 1, role: "Writer" }] },
      }),
    },
  },
  "POST /tracks/search": {
    happy: async (person) => {
      const [id] = await person.analysed();
      const constraints = { bpmRange: [60, 180], durationRange: [0, 3600], hasVocals: true, key: "F minor" };
      return { body: { query: "happy house", constraints, seedTrackIds: [id], excludeTrackIds: [noTrack] } };
    },
    refusals: {
      "400 validation_failed": async () => ({ body: { query: "x", constraints: { bpmRange: [120, 60] } } }),
      "400 not_enough_credits": async (_, { createPerson }) => ({
        body: { query: "x" },
        by: createPerson(0),
      }),
    },
    sized: {
      "body.constraints.bpmRange": (size) => [60, 120, 180].slice(0, size),
      "body.constraints.durationRange": (size) => [60, 120, 180].slice(0, size),
    },
    // Only an upper bound: there are fewer tracks than that.
    defaults: { "body.limit": ({ results }) => results.length > 0 && results.length <= 20 },
  },
};

const noVersion = unknownId("version");

/** Section 4, "Track versions". */
export const versionScenarios: Scenarios = {
  "GET /tracks/{trackId}/versions": {
    happy: async (person) => ({ params: { trackId: (await person.analysed())[0] } }),
    refusals: { "404 track_not_found": async () => ({ params: { trackId: noTrack } }) },
  },
  "GET /tracks/{trackId}/versions/{versionId}": {
    happy: async (person) => {
      const [trackId] = await person.analysed();
      const { activeVersionId } = await person.api("GET", `/tracks/single?id=${trackId}`);
      return { params: { trackId, versionId: activeVersionId } };
    },
    refusals: notThere({}),
  },
  "POST /tracks/{trackId}/versions": {
    happy: async (person) => ({ params: { trackId: await person.track() }, form: { file: audioFile() } }),
    refusals: {
      "404 track_not_found": async () => ({ params: { trackId: noTrack }, form: { file: audioFile() } }),
      "400 missing_file": async (person) => ({
        params: { trackId: await person.track() },
        form: { name: "x" },
      }),
      "400 invalid_file_type": async (person) => ({
        params: { trackId: await person.track() },
        form: { file: textFile() },
      }),
      "413 file_too_large": async (person) => ({
        params: { trackId: await person.track() },
        stream: hugeForm("file"),
      }),
    },
    refusedAs: { "form.file": ["missing_file"] },
    defaults: { "form.activate": ({ active, label, order }) => active && label === "v2" && order === 1 },
  },
  "GET /tracks/{trackId}/versions/{versionId}/diff": {
    happy: async (person) => {
      const [trackId] = await person.analysed();
      const { activeVersionId } = await person.api("GET", `/tracks/single?id=${trackId}`);
      return { params: { trackId, versionId: activeVersionId }, query: { against: activeVersionId } };
    },
    refusals: {
      ...notThere({}),
      "409 version_not_analysed": async (person) => {
        const trackId = await person.track();
        return { params: { trackId, versionId: await person.version(trackId) } };
      },
    },
  },
  "POST /tracks/{trackId}/versions/url": {
    happy: async (person, { files }) => fromUrl(await person.track(), `${files}/b.wav`),
    refusals: {
      "404 track_not_found": async (_, { files }) => fromUrl(noTrack, `${files}/b.wav`),
      "400 url_not_allowed": async (person) => fromUrl(await person.track(), "http://127.0.0.2/b.wav"),
      "400 download_failed": async (person, { files }) => fromUrl(await person.track(), `${files}/missing`),
      "400 invalid_file_type": async (person, { files }) => fromUrl(await person.track(), `${files}/page`),
      "413 file_too_large": async (person, { files }) => fromUrl(await person.track(), `${files}/endless`),
    },
    defaults: { "body.activate": ({ active, label, name }) => active && label === "v2" && name === "b.wav" },
  },
  "POST /tracks/{trackId}/versions/{versionId}/activate": {
    happy: async (person) => {
      const trackId = await person.track();
      return { params: { trackId, versionId: await person.version(trackId) } };
    },
    refusals: notThere({}),
  },
  "PATCH /tracks/{trackId}/versions/{versionId}": {
    happy: async (person) => {
      const trackId = await person.track();
      return { params: { trackId, versionId: await person.version(trackId) }, body: { name: "Radio edit" } };
    },
    refusals: notThere({ body: { name: "x" } }),
  },
  "DELETE /tracks/{trackId}/versions/{versionId}": {
    happy: async (person) => {
      const trackId = await person.track();
      return { params: { trackId, versionId: await person.version(trackId) } };
    },
    refusals: {
      ...notThere({}),
      "409 active_version": async (person) => {
        const trackId = await person.track();
        const { activeVersionId } = await person.api("GET", `/tracks/single?id=${trackId}`);
        return { params: { trackId, versionId: activeVersionId } };
      },
    },
  },
};

function notThere(rest: object): NonNullable<Scenarios[string]["refusals"]> {
  return {
    "404 track_not_found": async () => ({ params: { trackId: noTrack, versionId: noVersion }, ...rest }),
    "404 version_not_found": async (person) => {
      // A version that exists, on another track of the same person.
      const other = await person.track();
      const { activeVersionId } = await person.api("GET", `/tracks/single?id=${other}`);
      return { params: { trackId: await person.track(), versionId: activeVersionId }, ...rest };
    },
  };
}

const fromUrl = (trackId: string, fileUrl: string) => ({ params: { trackId }, body: { fileUrl } });

const unknownTrack = { "404 track_not_found": async () => ({ body: { trackId: noTrack } }) };

/** Section 4, "Tags and auto-tagging". */
export const tagScenarios: Scenarios = {
  "GET /taxonomy": { happy: async () => ({}) },
  "PATCH /tracks/tags": {
    happy: async (person) => ({
      query: { id: await person.track() },
      body: { genres: ["Techno"], additionalTags: ["my own"], moods: [] },
    }),
    refusals: {
      "400 validation_failed": async (person) => ({
        query: { id: await person.track() },
        body: { genres: ["No such genre"] },
      }),
      "404 track_not_found": async () => ({ query: { id: noTrack }, body: { genres: ["Techno"] } }),
    },
  },
  "POST /tracks/auto-tag": {
    happy: async (person) => ({ body: { trackId: await person.track() } }),
    refusals: unknownTrack,
  },
  "POST /tracks/auto-tag/batch": {
    happy: async (person) => ({ body: { trackIds: [await person.track(), noTrack] } }),
    refusals: { "404 track_not_found": async () => ({ body: { trackIds: [noTrack] } }) },
  },
  "GET /tracks/suggested-tags": {
    happy: async (person) => ({ query: { id: (await person.analysed())[0] } }),
    inBody: { TRACK_NOT_FOUND: async () => ({ query: { id: noTrack } }) },
  },
  "GET /tracks/similar": {
    happy: async (person) => ({ query: { id: (await person.analysed())[0] } }),
    inBody: { TRACK_NOT_FOUND: async () => ({ query: { id: noTrack } }) },
  },
  "POST /tracks/apply-suggested-tags": {
    happy: async (person) => ({ body: { trackId: await person.track() } }),
    refusals: unknownTrack,
  },
};
