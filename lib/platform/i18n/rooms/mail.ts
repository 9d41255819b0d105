import type { Room } from "@/lib/platform/i18n/rooms";

/** A mail as its reader sees it. */
export const mail: Room = {
  Subject: ["Betreff", "Objet", "Asunto", "Ämne"],
  To: ["An", "À", "Para", "Till"],
  From: ["Von", "De", "De", "Från"],
  "Reply to": ["Antwort an", "Répondre à", "Responder a", "Svar till"],
  Written: ["Geschrieben", "Écrit", "Escrito", "Skrivet"],
  "As it looks": ["Ansicht", "Aperçu", "Vista", "Utseende"],
  "Plain text": ["Nur Text", "Texte brut", "Solo texto", "Ren text"],
  Headers: ["Kopfzeilen", "En-têtes", "Cabeceras", "Rubrikrader"],
  "None of its own.": ["Keine eigenen.", "Aucun en propre.", "Ninguna propia.", "Inga egna."],
  "Views of the mail": ["Ansichten der E-Mail", "Vues de l’e-mail", "Vistas del correo", "Vyer av mejlet"],
  "The mail": ["Die E-Mail", "L’e-mail", "El correo", "Mejlet"],
  Mail: ["E-Mail", "E-mail", "Correo", "Mejl"],
};
