import type { Room } from "@/lib/platform/i18n/rooms";

/** The form of every page of settings, in the browser. What the settings are called is in `setting-names.ts`. */
export const settings: Room = {
  "Emails go through a mail server (SMTP), which doesn't report bounces and complaints. Addresses it refuses when sending are on the Failures page.":
    [
      "E-Mails gehen über einen Mailserver (SMTP), der Rückläufer und Beschwerden nicht meldet. Adressen, die er beim Senden ablehnt, stehen auf der Fehlerseite.",
      "Les e-mails passent par un serveur de messagerie (SMTP), qui ne signale ni les retours ni les plaintes. Les adresses qu’il refuse à l’envoi figurent sur la page des échecs.",
      "Los correos pasan por un servidor de correo (SMTP), que no informa de rebotes ni de quejas. Las direcciones que rechaza al enviar están en la página de fallos.",
      "Mejlen går via en e-postserver (SMTP) som inte rapporterar studsar och klagomål. Adresser som den nekar vid sändning finns på sidan över fel.",
    ],
  "{label}: pick": ["{label}: wählen", "{label} : choisir", "{label}: elegir", "{label}: välj"],
  and: ["und", "et", "y", "och"],
  "{label}: until": ["{label}: bis", "{label} : jusqu’à", "{label}: hasta", "{label}: till"],
  "{label}: language": ["{label}: Sprache", "{label} : langue", "{label}: idioma", "{label}: språk"],
  "{language} (none yet)": ["{language} (noch leer)", "{language} (vide)", "{language} (vacío)", "{language} (tomt)"],
  "{name}, {language}": ["{name}, {language}", "{name}, {language}", "{name}, {language}", "{name}, {language}"],
  "Saved. Forms, mails and pages follow from now on.": [
    "Gespeichert. Formulare, E-Mails und Seiten richten sich ab jetzt danach.",
    "Enregistré. Formulaires, e-mails et pages en tiennent compte dès maintenant.",
    "Guardado. Formularios, correos y páginas lo siguen desde ahora.",
    "Sparat. Formulär, mejl och sidor följer det från och med nu.",
  ],
  "Only admins change settings. You see them as they are.": [
    "Nur Administratoren ändern Einstellungen. Sie sehen sie, wie sie sind.",
    "Seuls les administrateurs modifient les paramètres. Vous les voyez tels qu’ils sont.",
    "Solo los administradores cambian los ajustes. Usted los ve tal como están.",
    "Bara administratörer ändrar inställningar. Du ser dem som de är.",
  ],
  "Not saved: look at what is marked.": [
    "Nicht gespeichert: Prüfen Sie, was markiert ist.",
    "Non enregistré : vérifiez ce qui est signalé.",
    "No se ha guardado: revise lo marcado.",
    "Inte sparat: titta på det som är markerat.",
  ],
  "{count} setting is changed and not saved.|{count} settings are changed and not saved.": [
    "{count} Einstellung ist geändert und nicht gespeichert.|{count} Einstellungen sind geändert und nicht gespeichert.",
    "{count} paramètre modifié et non enregistré.|{count} paramètres modifiés et non enregistrés.",
    "{count} ajuste cambiado y sin guardar.|{count} ajustes cambiados y sin guardar.",
    "{count} inställning är ändrad men inte sparad.|{count} inställningar är ändrade men inte sparade.",
  ],
  "Show what is there now": [
    "Aktuellen Stand zeigen",
    "Afficher l’état actuel",
    "Mostrar el estado actual",
    "Visa det som finns nu",
  ],
  "Use these settings": [
    "Einstellungen übernehmen",
    "Utiliser ces paramètres",
    "Usar estos ajustes",
    "Använd inställningarna",
  ],
};
