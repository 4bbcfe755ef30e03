import type { Page } from "./shapes.ts";

const DEFAULT_PAGE_SIZE = 50;

/** The page asked for, within the limits of the listing. */
export type PageRequest = { page: number; pageSize: number };

/**
 * Reads page and size. A value that is not a whole number of at least 1 means the default; a size above the limit means
 * the limit.
 */
export function readPage(query: { page?: string; pageSize?: string }, maxPageSize: number): PageRequest {
  return {
    page: Math.min(wholeNumber(query.page) ?? 1, Number.MAX_SAFE_INTEGER),
    pageSize: Math.min(wholeNumber(query.pageSize) ?? DEFAULT_PAGE_SIZE, maxPageSize),
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  const value = text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
  return value >= 1 ? value : undefined;
}

/** Puts rows into a page. A page past the last one is empty, and `select` is not called. */
export function toPage<Row>(
  { page, pageSize }: PageRequest,
  totalCount: number,
  select: (limit: number, offset: number) => Row[],
): Page<Row> {
  const totalPages = Math.ceil(totalCount / pageSize);
  const rows = page > totalPages ? [] : select(pageSize, (page - 1) * pageSize);
  return { rows, page, pageSize, totalCount, totalPages };
}
