import type { Language } from "@/lib/platform/i18n/languages";

/** What the page says by which authors change what they wrote, beside that which all forms share. */
export type EditWords = Record<
  | "page_title"
  | "heading"
  | "rejected"
  | "again"
  | "waits"
  | "send"
  | "unchanged"
  | "sent"
  | "expired"
  | "write_again"
  | "unknown",
  string
>;

export const editWords: Record<Language, EditWords> = {
  en: {
    page_title: "Change what you wrote",
    heading: "Change what you wrote",
    rejected: "{shop} has not published it yet:",
    again: "Change it, and it is looked at again. Praise and criticism count the same.",
    waits: "Changes are looked at again before they show.",
    send: "Send the changes",
    unchanged: "Nothing has been changed yet.",
    sent: "Your changes have arrived.",
    expired: "It worked for 30 days from the day we wrote to you.",
    write_again: "Write anew",
    unknown:
      "It may be incomplete: open it from the mail once more. If the text has been deleted, its link is gone too.",
  },
  de: {
    page_title: "Ihren Text ändern",
    heading: "Ihren Text ändern",
    rejected: "{shop} hat ihn noch nicht veröffentlicht:",
    again: "Ändern Sie ihn, dann wird er neu geprüft. Lob und Kritik zählen gleich viel.",
    waits: "Änderungen werden vor dem Veröffentlichen neu geprüft.",
    send: "Änderungen absenden",
    unchanged: "Es ist noch nichts geändert.",
    sent: "Ihre Änderungen sind angekommen.",
    expired: "Er galt 30 Tage ab dem Tag, an dem wir Ihnen geschrieben haben.",
    write_again: "Neu schreiben",
    unknown:
      "Vielleicht ist er unvollständig: Öffnen Sie ihn noch einmal aus der E-Mail. Wurde der Text gelöscht, gilt auch sein Link nicht mehr.",
  },
  fr: {
    page_title: "Modifier votre texte",
    heading: "Modifier votre texte",
    rejected: "{shop} ne l’a pas encore publié :",
    again: "Modifiez-le et il sera relu. Éloges et critiques comptent autant.",
    waits: "Toute modification est relue avant d’être publiée.",
    send: "Envoyer les modifications",
    unchanged: "Rien n’a encore été modifié.",
    sent: "Vos modifications sont bien arrivées.",
    expired: "Il était valable 30 jours à partir du jour où nous vous avons écrit.",
    write_again: "Écrire de nouveau",
    unknown:
      "Il est peut-être incomplet : ouvrez-le à nouveau depuis l’e-mail. Si le texte a été supprimé, son lien ne marche plus non plus.",
  },
  es: {
    page_title: "Cambiar tu texto",
    heading: "Cambiar tu texto",
    rejected: "{shop} todavía no lo ha publicado:",
    again: "Cámbialo y se revisará de nuevo. Elogios y críticas cuentan igual.",
    waits: "Los cambios se revisan antes de publicarse.",
    send: "Enviar los cambios",
    unchanged: "Todavía no has cambiado nada.",
    sent: "Tus cambios han llegado.",
    expired: "Valía 30 días desde el día en que te escribimos.",
    write_again: "Escribir de nuevo",
    unknown:
      "Puede que esté incompleto: ábrelo otra vez desde el correo. Si el texto se ha borrado, su enlace tampoco funciona.",
  },
  sv: {
    page_title: "Ändra din text",
    heading: "Ändra din text",
    rejected: "{shop} har inte publicerat den än:",
    again: "Ändra den, så granskas den på nytt. Beröm och kritik räknas lika.",
    waits: "Ändringar granskas innan de visas.",
    send: "Skicka ändringarna",
    unchanged: "Inget är ändrat än.",
    sent: "Dina ändringar har kommit fram.",
    expired: "Den gällde 30 dagar från dagen då vi skrev till dig.",
    write_again: "Skriv på nytt",
    unknown:
      "Den kan vara ofullständig: öppna den en gång till från mejlet. Har texten tagits bort fungerar inte länken heller.",
  },
};
