import { createContext } from "preact";

/** What a page shows in place of our name, mark and colour; null: ours. */
export type PageBrand = {
  name: string | null;
  website: string | null;
  /** Path of the logo. */
  logoPath: string | null;
  /** Path of the style sheet of the accent. */
  accentPath: string | null;
};

/** A brand, as the account has it. */
type Brand = { name: string | null; website: string | null; accent: string | null; logoKey: string | null };

export const OURS: PageBrand = { name: null, website: null, logoPath: null, accentPath: null };

/** The brand of a page. `htmlResponse` provides it. */
export const BrandOfPage = createContext<PageBrand>(OURS);

/** Returns an account's brand as a page shows it. @param root Path that every link on the page begins with. */
export function pageBrand(root: string, { name, website, accent, logoKey }: Brand): PageBrand {
  return {
    name,
    website,
    logoPath: logoKey === null ? null : `${root}/artwork/${logoKey}?size=thumbnail`,
    accentPath: accent === null ? null : `${root}/brand/${accent.slice(1)}.css`,
  };
}
