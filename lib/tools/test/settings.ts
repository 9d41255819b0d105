/** Settings of every test, and of the servers that tests start. */
export const settings = {
  NODE_ENV: "test",
  CANDOR_SECRET: "a secret for tests only, 32 bytes or more",
  RATE_LIMITS: "off",
  ALLOW_PRIVATE_URLS: "false",
  // No server: look-ups fail at once.
  DNS_SERVERS: "127.0.0.1:1",
};
