/** Mails about logins are the service's own: no client's logo, no client's support. */
export const serviceSender = {
  display_name: "Candor",
  email_name: "Candor",
  contact_email: null,
  contact_url: null,
  config: {},
};
