import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { zipResponse } from "../../../http/files/archive.ts";
import { op } from "../../../http/operation.ts";
import { PageQuery } from "../../../http/page-query.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { spelt } from "../../../kernel/text.ts";
import { findOperatingPerson } from "../../people/accounts/service.ts";
import { eraseDelivery, getDelivery, listDeliveries } from "./deliveries.ts";
import type { Plan } from "./plan.ts";
import {
  Delivery,
  DeliveryParams,
  DeliveryProgress,
  DeliveryRequest,
  DeliveryWithManifest,
  ErasedDelivery,
  FolderDelivery,
  LinkedDelivery,
  MarkedDelivery,
  PLAN_MINUTES,
  PlannedDelivery,
  TagsQuery,
  TagTable,
} from "./shapes.ts";

const tag = "Deliveries";

/** Packages for stores, agencies and plants, and what went out. */
export const packageOperations = (deps: Deps) => {
  // What makes packages is loaded with the first one.
  let loaded: Promise<Loaded> | undefined;
  const load = () => {
    loaded ??= loadPackages(deps);
    return loaded;
  };
  return [...making(load), ...handing(load), ...delivered];
};

async function loadPackages(deps: Deps) {
  const { createPackages, archivePath, describePlan, linkPlan, tagTableOf } = await import("./service.ts");
  return { packages: createPackages(deps), archivePath, describePlan, linkPlan, tagTableOf };
}

type Loaded = Awaited<ReturnType<typeof loadPackages>>;
type Load = () => Promise<Loaded>;

const making = (load: Load) => [
  op({
    at: "POST /deliveries",
    id: "planDelivery",
    session: "update:tracks",
    input: { body: DeliveryRequest },
    tag,
    summary: "Plan a package of tracks",
    description:
      "Answers what would go in, with the size of each file. Nothing is made yet: the versions that are active now go in.",
    answer: PlannedDelivery,
    refusals: ["track_not_found", "playlist_not_found", "storage_unavailable"],
    run: async (deps, { actor, body }) => {
      const { packages, describePlan } = await load();
      const plan = await packages.plan(actor, body);
      return describePlan(plan, deps.settings.deliveryDir !== undefined && isOperator(deps, actor));
    },
  }),
  op({
    at: "GET /deliveries/:deliveryId/tags",
    id: "getPackagedTags",
    session: "update:tracks",
    input: { params: DeliveryParams, query: TagsQuery },
    tag,
    summary: "Compare the tags of a file with those in a planned package",
    answer: TagTable,
    refusals: ["not_found"],
    run: async (deps, { actor, params, query }) => {
      const { packages, tagTableOf } = await load();
      return tagTableOf(deps, requirePlan(packages.find(actor, params.deliveryId)), query.path);
    },
  }),
  op({
    at: "GET /deliveries/:deliveryId/progress",
    id: "getDeliveryProgress",
    session: "update:tracks",
    input: { params: DeliveryParams },
    tag,
    summary: "Get how far a planned package is",
    description: "Of a package that is sent, and of one that broke off, with the reason.",
    answer: DeliveryProgress,
    refusals: ["not_found"],
    isPoll: true,
    run: async (_, { actor, params }) => {
      const { packages } = await load();
      return packages.progress(requirePlan(packages.find(actor, params.deliveryId)));
    },
  }),
  op({
    at: "GET /deliveries/:deliveryId/archive",
    id: "downloadDelivery",
    session: "update:tracks",
    input: { params: DeliveryParams },
    tag,
    summary: "Download a package",
    description:
      `A ZIP file, streamed. A planned package can be read for ${spelt(PLAN_MINUTES)} minutes. One that was delivered is made ` +
      "again from the same versions, with what is known of them now, and is listed as another delivery. A marked one is there when its copies are made; a plan of it that is read twice is one delivery.",
    answer: Type.String({ format: "binary" }),
    sends: { contentType: "application/zip", description: "The package" },
    refusals: ["not_found", "changed_since", "being_prepared", "file_missing", "storage_unavailable"],
    run: async (_, { actor, params, request }) => {
      const { packages } = await load();
      const plan = await packages.ready(actor, params.deliveryId);
      const { bytes, ...archive } = packages.archive(plan);
      return zipResponse(request, { ...archive, bytes: () => bytes(signalOf(request)) });
    },
  }),
];

/** What comes before, and other ways than an archive. */
const handing = (load: Load) => [
  op({
    at: "POST /deliveries/:deliveryId/marks",
    id: "markDelivery",
    session: "update:tracks",
    input: { params: DeliveryParams },
    tag,
    summary: "Have the marked copies of a package made",
    description:
      "A job makes them; its progress says how far it is, and `planned` when the package can be made. Of one that is not marked, nothing is to be made.",
    answer: MarkedDelivery,
    refusals: ["not_found", "changed_since", "storage_unavailable"],
    run: async (_, { actor, params }) => {
      const { packages, archivePath } = await load();
      const { id } = await packages.mark(actor, params.deliveryId);
      return { id, path: archivePath(id) };
    },
  }),
  op({
    at: "POST /deliveries/:deliveryId/link",
    id: "linkDelivery",
    session: "update:tracks",
    input: { params: DeliveryParams },
    tag,
    summary: "Make a link of a planned package",
    description:
      "A link to the tracks, for the recipient, who may download the originals, or marked copies of them. Several chosen tracks become a playlist first.",
    answer: LinkedDelivery,
    refusals: ["not_found", "track_not_found", "playlist_not_found"],
    run: async (deps, { actor, params }) => {
      const { packages, linkPlan } = await load();
      return linkPlan(deps, actor, requirePlan(packages.find(actor, params.deliveryId)));
    },
  }),
  op({
    at: "POST /deliveries/:deliveryId/folder",
    id: "writeDelivery",
    session: "update:tracks",
    input: { params: DeliveryParams },
    tag,
    summary: "Write a planned package into the folder of the server",
    description: "For the operator, where the server has such a folder: `DELIVERY_DIR`.",
    answer: FolderDelivery,
    refusals: ["not_found", "changed_since", "being_prepared", "file_missing", "storage_unavailable"],
    isLong: true,
    run: async (deps, { actor, params, request }) => {
      const { deliveryDir } = deps.settings;
      if (deliveryDir === undefined || !isOperator(deps, actor))
        throw new DomainError("not_found", "There is no folder for packages");
      const { packages } = await load();
      const plan = await packages.ready(actor, params.deliveryId);
      const { id, path } = await packages.write(plan, deliveryDir, signalOf(request));
      return { id, path };
    },
  }),
];

const delivered = [
  op({
    at: "GET /deliveries",
    id: "listDeliveries",
    session: "update:tracks",
    input: { query: PageQuery },
    tag,
    summary: "List what was delivered",
    description: "Newest first. A package is listed when its last byte was taken.",
    answer: Type.Array(Delivery),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listDeliveries(deps, actor, query),
  }),
  op({
    at: "GET /deliveries/:deliveryId",
    id: "getDelivery",
    session: "update:tracks",
    input: { params: DeliveryParams },
    tag,
    summary: "Get a delivery with its manifest",
    answer: DeliveryWithManifest,
    refusals: ["not_found"],
    run: (deps, { actor, params }) => getDelivery(deps, actor, params.deliveryId),
  }),
  op({
    at: "DELETE /deliveries/:deliveryId",
    id: "eraseDelivery",
    session: "update:tracks",
    input: { params: DeliveryParams },
    tag,
    summary: "Erase a delivery",
    description: "Forgets who got it and what was in it. Its hash stays.",
    answer: ErasedDelivery,
    refusals: ["not_found"],
    run: (deps, { actor, params }) => eraseDelivery(deps, actor, params.deliveryId),
  }),
];

const isOperator = (deps: Deps, { personId }: SessionActor) => findOperatingPerson(deps)?.id === personId;

function requirePlan(plan: Plan | undefined): Plan {
  if (plan) return plan;
  throw new DomainError("not_found", "This package is no longer planned. Please plan it again.");
}
