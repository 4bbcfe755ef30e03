/** Finds the ends of the answers on a keep-alive connection. Each answer has a Content-Length. */
export type ResponseReader = {
  /** Takes a chunk of input. Returns true when it completes an answer. Only one answer is under way at a time. */
  push: (chunk: Buffer) => boolean;
  /** Status of the last answer. */
  status: () => number;
};

const EMPTY_LINE = "\r\n\r\n";

/** Makes a reader for one connection. It reads only the status and the length. */
export function responseReader(): ResponseReader {
  let head: Buffer = Buffer.alloc(0);
  let bodyBytesLeft = -1; // -1: in the head
  let status = 0;

  const push = (chunk: Buffer): boolean => {
    if (bodyBytesLeft >= 0) {
      bodyBytesLeft -= chunk.length;
      return isComplete();
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf(EMPTY_LINE);
    if (end === -1) return false;
    const text = head.toString("latin1", 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (length === undefined) throw new Error(`An answer without a length: ${text}`);
    status = Number(text.slice(9, 12));
    bodyBytesLeft = Number(length) - (head.length - end - EMPTY_LINE.length);
    head = Buffer.alloc(0);
    return isComplete();
  };
  const isComplete = () => {
    if (bodyBytesLeft < 0) throw new Error("An answer is longer than it says");
    if (bodyBytesLeft > 0) return false;
    bodyBytesLeft = -1;
    return true;
  };
  return { push, status: () => status };
}
