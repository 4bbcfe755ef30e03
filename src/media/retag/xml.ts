import { utf8 } from "./bytes.ts";
import type { Fields } from "./fields.ts";

/** Returns text for an XML document. Fields have no control characters but line breaks. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the chunk `axml` with an ISRC. @see EBU Tech 3352, section 4: EBUCore in a Broadcast Wave file. */
export function isrcXml(isrc: string): Uint8Array {
  return utf8(`<ebucore:ebuCoreMain xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:ebucore="urn:ebu:metadata-schema:ebuCore_2012">
  <ebucore:coreMetadata>
    <ebucore:identifier typeLabel="GUID" typeDefinition="Globally Unique Identifier" formatLabel="ISRC" formatDefinition="International Standard Recording Code" formatLink="http://www.ebu.ch/metadata/cs/ebu_IdentifierTypeCodeCS.xml#3.7">
      <dc:identifier>ISRC:${escaped(isrc)}</dc:identifier>
    </ebucore:identifier>
  </ebucore:coreMetadata>
</ebucore:ebuCoreMain>
`);
}

/** Returns the chunk `iXML` with a project and a note; undefined when there is neither. @see iXML specification 3.01. */
export function projectXml({ project, note }: Fields): Uint8Array | undefined {
  if (project === undefined && note === undefined) return undefined;
  const lines = [
    ...(project === undefined ? [] : [`  <PROJECT>${escaped(project)}</PROJECT>`]),
    ...(note === undefined ? [] : [`  <NOTE>${escaped(note)}</NOTE>`]),
  ];
  return utf8(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      "<BWFXML>",
      "  <IXML_VERSION>3.01</IXML_VERSION>",
      ...lines,
      "</BWFXML>",
      "",
    ].join("\n"),
  );
}
