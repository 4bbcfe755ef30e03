import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { OwnLibrary } from "../people/shapes.ts";
import { chooseLibrary, foundLibrary, librariesOf, renameLibrary } from "./libraries.ts";
import { ChosenLibrary, NewLibrary } from "./shapes.ts";

const tag = "Sign-in";

/** The libraries of a person. */
export const libraryOperations = [
  op({
    at: "GET /libraries",
    id: "listLibraries",
    session: "self",
    isSecret: true,
    tag,
    summary: "List your libraries, the one joined first first",
    answer: Type.Array(OwnLibrary),
    refusals: [],
    run: (deps, { actor }) => librariesOf(deps, actor).libraries,
  }),
  op({
    at: "POST /libraries",
    id: "foundLibrary",
    session: "self",
    isSecret: true,
    input: { body: NewLibrary },
    tag,
    summary: "Found another library, which you own",
    description:
      "Needs a server with open registration, except for the operator. The session stays where it is: choose the new library, or name it.",
    answer: OwnLibrary,
    refusals: ["registration_closed", "team_full"],
    run: (deps, { actor, body }) => foundLibrary(deps, actor, body),
  }),
  op({
    at: "PUT /libraries/current",
    id: "chooseLibrary",
    session: "self",
    isSecret: true,
    input: { body: ChosenLibrary },
    tag,
    summary: "Go on in another of your libraries",
    description: "Requests of this session that name no library are in it from then on.",
    answer: OwnLibrary,
    refusals: ["not_a_member"],
    run: (deps, { actor, body }) => chooseLibrary(deps, actor, body),
  }),
  op({
    at: "PATCH /library",
    id: "renameLibrary",
    session: "manage:library",
    isSecret: true,
    input: { body: NewLibrary },
    tag,
    summary: "Give the library another name",
    answer: OwnLibrary,
    refusals: [],
    run: (deps, { actor, body }) => renameLibrary(deps, actor, body),
  }),
];
