/**
 * Returns SQL that makes of an empty database what the migrations make of it, in a tenth of the time. Only executables have it:
 * `scripts/build/executable.ts` puts it here.
 */
export const newestSchema = (): string | undefined => undefined;
