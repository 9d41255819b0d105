// @ts-check
// Every command imports this first. The syntax must work on old versions of Node.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Candor needs Node 20.19 or newer to start (it installs Node 24 for itself). This is Node ${process.versions.node}.\n`,
  );
  process.exit(1);
}
