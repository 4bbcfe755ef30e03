import { newWord } from "../library.ts";
import type { Person } from "../world.ts";
import { type Scenarios, unknownId } from "./scenario.ts";

const noKey = { params: { id: unknownId("key") } };
const ofKey = async (person: Person, options = {}) => ({ params: { id: (await person.newKey(options)).id } });

async function ofRevokedKey(person: Person) {
  const { id } = await person.newKey();
  await person.web("POST", `/integration/api-keys/${id}/revoke`);
  return { params: { id } };
}

const scopes = { body: { scopes: ["read:tracks"] } };
const webhook = { body: { url: "https://hooks.example/in", active: true } };

/** Section 4, "Key management". An account may have 50 keys, so each scenario uses its own person. */
export const keyScenarios: Scenarios = {
  "POST /integration/api-keys": {
    happy: async () => ({ body: { name: newWord("key"), scopes: ["read:tracks"], days: 30 } }),
    refusals: {
      "400 invalid_scope": async () => ({ body: { name: "x", scopes: ["platform:read:accounts"] } }),
      "409 key_limit_reached": async (_, { createPerson }) => {
        const by = createPerson(); // comes with its first key
        for (let i = 0; i < 49; i++) await by.newKey();
        return { body: { name: "one too many" }, by };
      },
    },
    sized: { "body.scopes": (size) => Array(size).fill("read:tracks") },
  },
  "GET /integration/api-keys": { happy: async () => ({}) },
  "GET /integration/api-keys/scopes": { happy: async () => ({}) },
  "POST /integration/api-keys/{id}/scopes": {
    happy: async (person) => ({ ...(await ofKey(person)), ...scopes }),
    refusals: {
      "400 invalid_scope": async (person) => ({ ...(await ofKey(person)), body: { scopes: ["all"] } }),
      "404 key_not_found": async () => ({ ...noKey, ...scopes }),
      "409 key_not_active": async (person) => ({ ...(await ofRevokedKey(person)), ...scopes }),
      "409 key_not_editable": async (person) => ({
        ...(await ofKey(person, { scopes: ["act-as-user", "read:tracks"] })),
        ...scopes,
      }),
    },
    sized: { "body.scopes": (size) => Array(size).fill("read:tracks") },
  },
  "POST /integration/api-keys/{id}/webhook": {
    happy: async (person) => ({ ...(await ofKey(person)), ...webhook }),
    refusals: {
      "400 invalid_webhook_url": async (person) => ({
        ...(await ofKey(person)),
        body: { url: "https://127.0.0.2/", active: true },
      }),
      "404 key_not_found": async () => ({ ...noKey, ...webhook }),
      "409 key_not_active": async (person) => ({ ...(await ofRevokedKey(person)), ...webhook }),
    },
  },
  "POST /integration/api-keys/{id}/rotate": {
    happy: (person) => ofKey(person),
    refusals: { "404 key_not_found": async () => noKey, "409 key_not_active": ofRevokedKey },
  },
  "POST /integration/api-keys/{id}/revoke": {
    happy: (person) => ofKey(person),
    refusals: { "404 key_not_found": async () => noKey },
  },
  "GET /integration/usage": {
    happy: async (person) => {
      await person.api("GET", "/tracks/count");
      return {};
    },
  },
};

/** Section 9. */
export const serviceScenarios: Scenarios = { "GET /version": { happy: async () => ({}) } };
