/**
 * Returns bytes as a stream, such as a body. Each chunk is sent or copied before the next is asked for, so that chunks may be the same
 * memory, and only bytes that were asked for count as sent.
 */
export function bodyOf(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    type: "direct",
    pull: async (controller) => {
      for await (const chunk of bytes) {
        controller.write(chunk);
        // Resolves when the system has taken the bytes.
        await controller.flush(true);
      }
      controller.close();
    },
    cancel: async () => void (await bytes.return(undefined)),
  });
}
