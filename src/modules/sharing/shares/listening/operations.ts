import { Type } from "@sinclair/typebox";
import { Paging } from "../../../../http/envelope.ts";
import { op } from "../../../../http/operation.ts";
import { ShareParams } from "../shapes.ts";
import { listContacts } from "./contacts.ts";
import { listListeners } from "./listeners.ts";
import { getListening } from "./listening.ts";
import { Contact, ContactsQuery, Listener, ListenersQuery, Listening } from "./shapes.ts";

const tag = "Shares";

/** Who listened through links. */
export const listeningOperations = [
  op({
    at: "GET /shares/:id/listening",
    id: "getShareLinkListening",
    key: "read:shares",
    session: "read:shares",
    sessionDoor: "getShareListening",
    input: { params: ShareParams },
    tag,
    summary: "Get what was heard through one link, by visit and by part of each track",
    answer: Listening,
    refusals: ["share_not_found"],
    run: (deps, { actor, params }) => getListening(deps, actor.accountId, params.id),
  }),
  op({
    at: "GET /listeners",
    id: "listListeners",
    key: "read:shares",
    input: { query: ListenersQuery },
    tag,
    summary: "List who listened, and to what: one entry for each link",
    description:
      "The most recently heard first. Links without listening come last, with `lastHeardAt: null`. The counts leave " +
      "out your own visits and machines, and count only what lies between `since` and `until`.",
    answer: Type.Array(Listener),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listListeners(deps, actor, query),
  }),
  op({
    at: "GET /recipients",
    id: "listRecipients",
    key: "read:shares",
    session: "read:shares",
    sessionDoor: { id: "listContacts", at: "GET /app/contacts" },
    input: { query: ContactsQuery },
    tag,
    summary: "List the recipients of your links, latest activity first",
    answer: Type.Array(Contact),
    refusals: [],
    run: (deps, { actor, query }) => listContacts(deps, actor, query),
  }),
];
