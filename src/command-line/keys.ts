import type { CommandSpec } from "./describe.ts";
import { JSON_ARRAY, OWNED } from "./people.ts";

/** What opens libraries to programs and music apps, and what accounts have left. */
export const KEYS = {
  "key create": {
    summary: "Make an API key",
    about: "Here alone a key can also get act-as-user or the legacy all.",
    options: {
      ...OWNED,
      name: { value: "N", required: true, about: "What the key is for" },
      scopes: {
        value: "a,b",
        about: "What the key may do, separated by commas; without it, every scope that an owner may give",
      },
      days: { value: "n", whole: { from: 1, to: 3650, unit: "days" }, about: "Days until the key ends" },
    },
    prints: "{id,key}",
    examples: [
      [
        "dubplate key create --email ana@example.com --name laptop --scopes read:tracks --days 30",
        "a key that reads tracks for a month",
      ],
    ],
  },
  "key list": {
    summary: "List an account's keys that are not revoked, newest first; never a secret",
    options: { ...OWNED, json: JSON_ARRAY },
    prints: "one row per line",
  },
  "key revoke": {
    summary: "Revoke a key of any account for good",
    arguments: [{ name: "ID", about: "The key's id, as key list shows it" }],
    prints: "{ok:true}",
  },
  "player list": {
    summary: "List an account's music apps that are not removed, newest first; never a password",
    options: { ...OWNED, json: JSON_ARRAY },
    prints: "one row per line",
  },
  "player revoke": {
    summary: "Remove a music app of any account; its next request is refused",
    arguments: [{ name: "ID", about: "The music app's id, as player list shows it" }],
    prints: "{ok:true}",
  },
  "platform-key create": {
    summary: "Make a key for a partner or a worker",
    options: {
      name: { value: "N", required: true, about: "Who uses the key" },
      scopes: { value: "a,b", required: true, about: "What the key may do, separated by commas" },
      days: {
        value: "n",
        required: true,
        whole: { from: 1, to: 365, unit: "days" },
        about: "Days until the key ends, 1 to 365",
      },
    },
    prints: "{id,key,expiresAt}",
    examples: [
      [
        "dubplate platform-key create --name studio-pc --scopes platform:work --days 365",
        "for dubplate work on another machine",
      ],
    ],
  },
  "platform-key list": {
    summary: "List the keys of partners and workers",
    options: { json: JSON_ARRAY },
    prints: "one row per line",
  },
  "platform-key revoke": {
    summary: "Revoke a key of a partner or a worker",
    arguments: [{ name: "ID", about: "The key's id, as platform-key list shows it" }],
    prints: "{ok:true}",
  },
  "credits set": {
    summary: "Set the search credits of an account",
    options: {
      ...OWNED,
      amount: { value: "N|unlimited", required: true, about: "How many searches are left, or unlimited" },
    },
    prints: "{email,credits}",
  },
  "credits add": {
    summary: "Add to the search credits of an account",
    options: {
      ...OWNED,
      amount: { value: "N", required: true, whole: {}, about: "How many to add; below zero takes away" },
    },
    prints: "{email,credits}",
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;
