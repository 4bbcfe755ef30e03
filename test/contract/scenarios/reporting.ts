import { type Scenarios, unknownId } from "./scenario.ts";

/** Section 4, "Analytics". */
export const analyticsScenarios: Scenarios = {
  "GET /analytics/dashboard": {
    happy: async (person) => {
      await person.track();
      return {};
    },
  },
  "GET /analytics/stats": {
    happy: async (person) => ({
      query: { entity: "track", ids: `${await person.track()},${unknownId("track")}` },
    }),
    refusals: {
      "400 validation_failed": async (person) => ({
        query: { entity: "track", ids: await person.track(), since: "2026-01-02", until: "2026-01-01" },
      }),
    },
    sized: { "query.ids": (size) => Array.from({ length: size }, (_, index) => `trk_${index}`).join(",") },
  },
  "GET /analytics/top": {
    happy: async (person) => {
      await person.web("POST", `/app/tracks/${await person.track()}/comments`, { text: "Lovely" });
      return { query: { metric: "comments" } };
    },
    refusals: {
      "400 validation_failed": async () => ({
        query: { metric: "plays", since: "2026-01-02", until: "2026-01-01" },
      }),
    },
  },
};

/** Section 4, "Platform API". */
export const platformScenarios: Scenarios = {
  "GET /platform/file-requests": {
    happy: async (person) => {
      await person.submit(await person.brief(), await person.track());
      return {};
    },
  },
  "GET /platform/file-requests/{id}/submissions": {
    happy: async (person) => {
      const id = await person.brief();
      await person.submit(id, await person.track());
      return { params: { id } };
    },
    refusals: {
      "404 file_request_not_found": async () => ({ params: { id: unknownId("file request") } }),
    },
  },
  "GET /platform/accounts": { happy: async () => ({}) },
};
