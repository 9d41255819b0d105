/** Emails about logins come from the service itself: without a client's logo or support address. */
export const serviceSender = {
  display_name: "Candor",
  email_name: "Candor",
  contact_email: null,
  contact_url: null,
  config: {},
};
