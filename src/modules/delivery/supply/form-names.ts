/** Returns the name of the form's field about the share at a place. */
export const shareField = (at: number): string => `share-${at}`;
