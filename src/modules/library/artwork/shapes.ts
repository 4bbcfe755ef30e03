import { sizeInWords } from "../../../kernel/text.ts";

/** The largest picture that people send or name an address of. */
export const MAX_PICTURE_BYTES = 15 * 2 ** 20;
export const MAX_PICTURE_SIZE = sizeInWords(MAX_PICTURE_BYTES);
