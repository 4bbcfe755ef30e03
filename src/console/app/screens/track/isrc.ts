/** True for an International Standard Recording Code, with or without hyphens (ISO 3901). */
export const isIsrc = (text: string): boolean => /^[a-z]{2}-?[a-z0-9]{3}-?\d{2}-?\d{5}$/i.test(text.trim());
