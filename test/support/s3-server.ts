import S3rver from "@20minutes/s3rver";

// Run as a process: `s3-server.ts FOLDER [PORT]`. Prints its port. Lists are not checked: the server takes a path without the
// slash that the runtime's client signs.
const [folder = "", port = "0"] = process.argv.slice(2);
const server = new S3rver({
  address: "127.0.0.1",
  port: Number(port),
  silent: true,
  directory: folder,
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: "music", configs: [] }],
});
console.log((await server.run()).port);
