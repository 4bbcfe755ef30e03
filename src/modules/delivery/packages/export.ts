import { deliveryPackages } from "../../../../db/schema.ts";
import { type ExportLists, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  deliveries: rowsOf(deliveryPackages, deliveryPackages.ownerId),
};
