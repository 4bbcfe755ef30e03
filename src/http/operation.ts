import type { Static, TSchema } from "@sinclair/typebox";
import type { KeyActor, OwnerActor, PersonActor, SessionActor } from "../kernel/actor.ts";
import type { Deps } from "../kernel/deps.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import type { Need } from "../kernel/roles.ts";
import type { PlatformScope, Scope } from "../kernel/scopes.ts";
import type { Tag } from "./openapi.ts";
import type { Answered, DoorsOf, Sent } from "./wire.ts";

/** A method and a path, such as `GET /shares/:id`. */
export type Address = `${"GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** Schemas of what a caller sends. */
export type Input = { params?: TSchema; query?: TSchema; body?: TSchema };

/**
 * What an operation asks of the person who is signed in: something that their role in the library lets them do, to be a
 * member whatever the role, or only to be signed in.
 */
export type SessionNeed = Need | "member" | "self";

/** The operation's id below `/app` where it has another door too, with its whole path where that is another one. */
export type SessionDoor = string | { id: string; at: Address };

type ActorOf<Key, Session> =
  | (Key extends PlatformScope ? KeyActor : Key extends string ? OwnerActor : never)
  | (Session extends "self" ? PersonActor : Session extends SessionNeed ? SessionActor : never);
type Part<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** What an operation runs with. Parts that it does not declare are undefined. */
export type Call<Given extends Input = Input, Actor = unknown> = {
  actor: Actor;
  params: Part<Given["params"]>;
  query: Part<Given["query"]>;
  body: Part<Given["body"]>;
  request: Request;
};

/** An operation as it is declared: everything that its doors, the document and the tools need to know. */
export type Declared<Given extends Input, Key, Session> = {
  /** Below `/api/v1` for keys and below `/app` for people. */
  at: Address;
  /** An earlier path of the same operation, for clients that still use it. It is not in the document. */
  formerly?: Address;
  /** True when `at` is the whole path. */
  isAtRoot?: true;
  /** The operation's id in the document, which generated clients call it by. */
  id: string;
  /** The scope that a key needs. Left out: keys do not reach the operation. */
  key?: Key;
  /** A scope that a key needs besides, by what its query asks for. */
  keyToo?(query: Part<Given["query"]>): Scope | undefined;
  /**
   * The door for people, below `/app`. Where keys have a door too, it asks for the scope of the key. Left out: people do not
   * reach the operation. An operation without either door is open to everyone.
   */
  session?: Session;
  sessionDoor?: SessionDoor;
  /**
   * Guests of rooms come in too. A track or a playlist that the path names is in one of their rooms then, and the actor is
   * who they are there; everything else `run` filters by the rooms of the actor. A track that the query names is checked by `run`,
   * with an actor who is in none when it is in none. Left out: closed to guests.
   */
  rooms?: true | { trackIn: "id" };
  input?: Given;
  /**
   * How the body is read: as JSON, of at most 10 MB or `limitBytes`; by the operation itself as a form or in pieces, which
   * may take as long as it needs.
   */
  reads?: "json" | "form" | "pieces" | { limitBytes: number };
  tag: Tag;
  summary: string;
  description?: string;
  /** Schema of what {@link Declared.run} returns, which the envelope wraps. */
  answer: TSchema;
  /** Schemas of the fields beside `data`, such as `paging`. Then `run` returns a page: `{ items, paging }`. */
  siblings?: Record<string, TSchema>;
  /** The answer has no envelope (decision 4.3). */
  isBare?: true;
  /** What `run` sends as a `Response` where that is not JSON. Then `answer` is the schema of its bytes. */
  sends?: {
    contentType: string;
    description: string;
    /** A 304 says that the client has it already. */
    mayBeKnown?: true;
  };
  /** The answer must not be stored by anyone. */
  isSecret?: true;
  /** The work may take as long as it needs (decision 8.6). */
  isLong?: true;
  /** One of many polls: requests are not recorded one by one. */
  isPoll?: true;
  /** Refusals beyond those that every operation of its kind has. */
  refusals: readonly ErrorCode[];
  /** The schema of a body that the operation reads itself. */
  requestBody?: { contentType: string; schema: TSchema };
  /** Left out of the document: the request belongs to a protocol that has documents of its own. */
  isUnlisted?: true;
  /** A request as people send it, where one made of the schema says little or too much. */
  example?: unknown;
  /** Does the work. A `Response` is sent as it is, and {@link WithHeaders} says more than data. */
  run: (deps: Deps, call: Call<Given, ActorOf<Key, Session>>) => unknown;
};

/** An operation as {@link mountOperations} takes it. */
export type Operation = Omit<Declared<Input, Scope, SessionNeed>, "run"> & {
  run: (deps: Deps, call: Call<Input, never>) => unknown;
};

/**
 * An operation whose doors and wire types the compiler knows, for the console. What a declaration file says of it is plain
 * types, without schemas.
 */
export interface Op<Doors, Sent, Answered> extends Operation {
  /** Only the compiler sees it. */
  readonly wire?: { doors: Doors; sent: Sent; answered: Answered };
}

/** Declares an operation once, for every door that it has. */
export function op<
  At extends Address,
  Answer extends TSchema,
  Siblings extends Record<string, TSchema> = Record<never, never>,
  Given extends Input = Record<never, never>,
  Key extends Scope | undefined = undefined,
  Session extends SessionNeed | undefined = undefined,
  Place extends SessionDoor | undefined = undefined,
  Root extends true | undefined = undefined,
  Bare extends true | undefined = undefined,
  Sends extends Declared<Given, Key, Session>["sends"] = undefined,
>(
  operation: Declared<Given, Key, Session> & {
    at: At;
    sessionDoor?: Place;
    isAtRoot?: Root;
    answer: Answer;
    siblings?: Siblings;
    isBare?: Bare;
    sends?: Sends;
  },
): Op<
  DoorsOf<At, Key, Session, Place, Root>,
  { [Part in keyof Given]: Sent<Given[Part]> },
  Sends extends object ? unknown : Answered<Answer, Siblings, Bare>
> {
  return operation as never;
}

/** What an operation returns when its answer's header has fields of its own. */
export class WithHeaders {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(data: unknown, headers: Readonly<Record<string, string>>) {
    this.data = data;
    this.headers = headers;
  }
}
