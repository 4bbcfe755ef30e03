import { Type } from "@sinclair/typebox";
import type { Composer, SingleComposer } from "../../modules/composers/model.ts";
import { compactComposer, compactPage } from "./compact.ts";
import { ComposerId, Detail, OrNull, PageOf } from "./fields.ts";
import { ADDS, READS, SETS, tool } from "./tool.ts";

const words = (description: string) => Type.String({ maxLength: 200, description });
const FullName = Type.String({ minLength: 1, maxLength: 200, description: "Full name, 1-200 characters" });
const Email = Type.String({ minLength: 3, maxLength: 254, description: "E-mail, unique in the library" });
const Optional = {
  artistName: Type.Optional(words("Name they are credited by")),
  publisher: Type.Optional(words("Publisher")),
  pro: Type.Optional(words("Performing-rights organisation")),
  ipi: Type.Optional(words("IPI number, as text")),
};

export const listComposers = tool({
  name: "list_composers",
  title: "List composers",
  description:
    "The people who have a share in tracks, newest first, up to 100 per page, each with linked tracks (at most 25 in " +
    "compact; tracksTruncated shows that there are more). Returns data[] and paging.next_cursor.",
  input: Type.Object({
    cursor: Type.Optional(Type.String({ description: "Id of the last composer of the previous page" })),
    detail: Detail,
  }),
  output: PageOf,
  annotations: READS,
  scopes: ["read:composers"],
  endpoint: "GET /composers",
  request: ({ cursor }) => ({ method: "GET", path: "/composers", query: { cursor } }),
  compact: compactPage<Composer>(compactComposer),
});

export const getComposerCount = tool({
  name: "get_composer_count",
  title: "Count composers",
  description: "How many composers the library has. Returns count.",
  input: Type.Object({}),
  output: Type.Object({ count: Type.Integer() }),
  annotations: READS,
  scopes: ["read:composers"],
  endpoint: "GET /composers/count",
  request: () => ({ method: "GET", path: "/composers/count" }),
});

export const getComposer = tool({
  name: "get_composer",
  title: "Get a composer",
  description:
    "One composer with linked tracks, share in per cent and role. Returns composer, or null when it does not exist.",
  input: Type.Object({ composerId: ComposerId, detail: Detail }),
  output: Type.Object({ composer: OrNull("object") }),
  annotations: READS,
  scopes: ["read:composer"],
  endpoint: "GET /composers/single",
  request: ({ composerId }) => ({ method: "GET", path: "/composers/single", query: { id: composerId } }),
  compact: ({ composer }: SingleComposer) => ({ composer: composer && compactComposer(composer) }),
});

export const createComposer = tool({
  name: "create_composer",
  title: "Add a composer",
  description:
    "Add a person who has a share in tracks. Refused when the e-mail is in use. Returns ok and the composer.",
  input: Type.Object({ fullName: FullName, email: Email, ...Optional }),
  annotations: ADDS,
  scopes: ["create:composer"],
  endpoint: "POST /composers",
  request: ({ fullName, email, artistName, publisher, pro, ipi }) => ({
    method: "POST",
    path: "/composers",
    body: { fullName, email, artistName, publisher, pro, ipi },
  }),
  compact: (composer: Composer) => ({ ok: true, composer: compactComposer(composer) }),
});

export const updateComposer = tool({
  name: "update_composer",
  title: "Update a composer",
  description:
    "Change a composer's details. Only the fields sent change. Returns ok and the fields as stored.",
  input: Type.Object({
    composerId: ComposerId,
    fullName: Type.Optional(FullName),
    email: Type.Optional(Email),
    ...Optional,
  }),
  annotations: SETS,
  scopes: ["update:composer"],
  endpoint: "PATCH /composers",
  request: ({ composerId, fullName, email, artistName, publisher, pro, ipi }) => ({
    method: "PATCH",
    path: "/composers",
    body: { id: composerId, fullName, email, artistName, publisher, pro, ipi },
  }),
  compact: ({ composer }: { composer: object }) => ({ ok: true, composer }),
});

export const deleteComposer = tool({
  name: "delete_composer",
  title: "Delete a composer",
  description: "Delete a composer for good, with the links to tracks. Cannot be undone. Returns ok.",
  input: Type.Object({ composerId: ComposerId }),
  annotations: SETS,
  scopes: ["delete:composer"],
  endpoint: "DELETE /composers",
  request: ({ composerId }) => ({ method: "DELETE", path: "/composers", query: { id: composerId } }),
  compact: (_: object, { composerId }) => ({ ok: true, composerId }),
});
