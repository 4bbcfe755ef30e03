import type { Deps } from "../../../kernel/deps.ts";
import { OURS, type PageBrand, pageBrand } from "../../../pages/brand.ts";
import { pageRootOf } from "../../../pages/paths.ts";
import { findOperator } from "../../people/accounts/service.ts";
import { brandOf } from "../../people/brand/service.ts";

/** Returns what an account shows in place of our name and mark; the operator's where the page belongs to no account. */
export function brandFor(deps: Deps, ownerId = findOperator(deps)?.id): PageBrand {
  return ownerId === undefined ? OURS : pageBrand(pageRootOf(deps.settings), brandOf(deps, ownerId));
}
