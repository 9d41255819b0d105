// What stands for Node's `process` in a browser. React asks for it only where `reportError` is missing, as it is in no browser
// that Next serves, and Next writes its `process.env` into the code; for that alone it would bring a whole imitation.
module.exports = { env: {} };
