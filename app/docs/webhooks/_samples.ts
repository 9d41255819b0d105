/** Code that verifies an event, by language. Each is a function of secret, headers (lower-case names) and raw body; a test runs them. */
export const samples = [
  {
    language: "Node.js",
    file: "verify.mjs",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

// headers: lower-case names; body: the raw text, before any JSON parsing
export function verify(secret, headers, body) {
  const age = Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"]));
  if (!(age < 300)) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = headers["webhook-id"] + "." + headers["webhook-timestamp"] + "." + body;
  const expected = Buffer.from("v1," + createHmac("sha256", key).update(signed).digest("base64"));
  return headers["webhook-signature"].split(" ").some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  },
  {
    language: "Python",
    file: "verify.py",
    code: `import base64, hashlib, hmac, time

# headers: lower-case names; body: the raw text, before any JSON parsing
def verify(secret, headers, body):
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) >= 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{timestamp}.{body}".encode()
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in given)`,
  },
  {
    language: "PHP",
    file: "verify.php",
    code: `<?php
// $headers: lower-case names; $body: the raw text (file_get_contents('php://input')), before any JSON parsing
function verify(string $secret, array $headers, string $body): bool {
    $timestamp = $headers['webhook-timestamp'];
    if (abs(time() - (int) $timestamp) >= 300) return false;
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = $headers['webhook-id'] . '.' . $timestamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $each)
        if (hash_equals($expected, $each)) return true;
    return false;
}`,
  },
  {
    language: "Go",
    file: "verify.go",
    code: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// headers: lower-case names; body: the raw text, before any JSON parsing
func verify(secret string, headers map[string]string, body string) bool {
	timestamp, err := strconv.ParseInt(headers["webhook-timestamp"], 10, 64)
	if err != nil || time.Since(time.Unix(timestamp, 0)).Abs() >= 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(headers["webhook-id"] + "." + headers["webhook-timestamp"] + "." + body))
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, each := range strings.Split(headers["webhook-signature"], " ") {
		if hmac.Equal([]byte(each), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  },
] as const;
