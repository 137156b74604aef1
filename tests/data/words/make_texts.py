#!/usr/bin/env python3
"""Writes texts.txt: 1,203 texts in 17 languages for the tests of analyzers, one per line: a locale, a tab, a text.

    make_texts.py > texts.txt

The texts are made of the sentences below, which were written for this test, of words with the endings of each
language, and of what real texts have besides words: numbers, addresses, emoji, combining marks, other scripts. In a
text, \\n, \\t and \\\\ stand for a line end, a tab and a backslash."""
import random

SENTENCES = {
    "en": "The runners were running quickly through the abandoned villages. She doesn't believe in generously funded "
          "organizations' promises. Relational databases store connected tables. Nothing happened after the meetings "
          "ended early. They're studying the flies, dying embers and tying knots. Can't you see the U.S.A. exporting "
          "children's toys? The president's ratings were skating on thin ice. Easily hopping bunnies argued happily.",
    "de": "Die schnellen Läufer liefen durch verlassene Dörfer. Größere Häuser werden häufig teurer verkauft. Ich weiß, "
          "daß die Straßenbahnen überfüllt waren. Aufeinanderfolgende Versicherungsgesellschaften kündigten. Mäuse "
          "fürchten Katzen, obwohl diese schlafen. Das Mädchen heißt Jürgen nicht. Die Abhängigkeiten wurden gelöst.",
    "fr": "Les coureurs traversaient rapidement les villages abandonnés. L'homme n'avait qu'aujourd'hui pour réfléchir. "
          "Nous finissions les élégantes compositions. Ça dépend des œuvres précédentes, évidemment. Elles étaient "
          "généreusement financées par d'anciennes sociétés. J'aimerais que vous soyez prêts. Où sont les garçons?",
    "es": "Los corredores atravesaban rápidamente los pueblos abandonados. ¿Dónde están las organizaciones generosas? "
          "¡Qué niños tan pequeños! Dándoselo rápidamente terminaríamos. Las canciones que cantábamos eran hermosas. "
          "El camión llegó después. Los señores averigüen las cigüeñas. Habíamos trabajado felizmente.",
    "it": "I corridori attraversavano velocemente i villaggi abbandonati. Perché l'università dell'amico è così bella? "
          "Dandogliela rapidamente finiremmo. Le città più antiche venivano visitate. C'è un'altra possibilità. "
          "Abbandoneremo le organizzazioni finanziate generosamente. Gli uomini parlavano pacificamente.",
    "pt": "Os corredores atravessavam rapidamente as aldeias abandonadas. Não há informações sobre as organizações. "
          "Dar-lho-íamos se pudéssemos. As canções que cantávamos eram lindas. Os pães e as mães estão aqui. "
          "Você já comeu maçãs? Felizmente trabalhávamos ontem. Os alemães construíram estações.",
    "ru": "Бегуны быстро бежали через заброшенные деревни. Щедро финансируемые организации обещали помощь. Ёлка стояла "
          "в углу, и её украшали. Они не верили обещаниям президента. Дети играли во дворе красивыми игрушками. "
          "Прочитавшие книгу студенты радовались. Самые большие города строились веками.",
    "tr": "Koşucular terk edilmiş köylerden hızla geçiyorlardı. İstanbul'daki evlerimizden ısrarla çıkmıyorlar. "
          "Çocukların kitapları masalardaydı. Gelmeyecekmişsiniz. Öğretmenimizin arabasındaki anahtarlar kayboldu. "
          "Işıklar söndürülmüştü. Güzelleştirilebilenlerdenmişiz. Ağacın altında uyuyordum.",
    "zh": "我们在北京大学学习数据库。他买了三本书,花了120元。這是繁體中文的句子。今天天气很好，我想去公园散步！"
          "数据库管理系统（DBMS）支持SQL查询。２０２６年１１月２４日。𠀀𠀁是罕见字。",
    "ja": "私は東京でデータベースを勉強しています。カタカナとひらがなを混ぜた文章です。ｶﾀｶﾅも半角で書けます。"
          "今日はとても天気がいいですね。サーバー・クライアント方式。第３回、ＡＢＣ会議。ゔぁいおりん゛を弾く。々〆ヵヶ。",
    "ar": "ركض العداؤون بسرعة عبر القرى المهجورة. المَكْتَبَةُ كبيرةٌ جداً. ذهبت إلى المدرسة في ٢٠٢٦. والكتب على الطاولة.",
    "sv": "Löparna sprang snabbt genom de övergivna byarna. Flickornas böcker låg på borden. Ändå ångrade han sig.",
    "hu": "A futók gyorsan szaladtak az elhagyott falvakon keresztül. A házaimban lévő könyveitekről beszélgettünk.",
    "ro": "Alergătorii treceau repede prin satele părăsite. Organizațiile finanțate generos şi ţările vecine.",
    "nl": "De lopers renden snel door de verlaten dorpen. Zeeën en vrijheden werden geïdealiseerd. 's Morgens vroeg.",
    "no": "Løperne løp raskt gjennom de forlatte landsbyene. Mulighetenes hus ble bygget på øyene.",
    "fi": "Juoksijat juoksivat nopeasti hylättyjen kylien läpi. Taloissammekaan ei ollut kirjojanne.",
}
STEMS = {
    "en": "run hop fli generat nation organ believ sky consol vietnam gas commun univers past arsen",
    "de": "lauf häus größ versicher schön kindl bürg straß arbeit mäus freund seh",
    "fr": "cour fin abandonn élég génér aim mang publi natur continu fâch",
    "es": "corr cant organiz rápid señor camin vend averigü beb prim dec",
    "it": "corr cant organizz velo parl bell città finan dorm cred ric",
    "pt": "corr cant organiz rápid alem trabalh vend consist beb prim constru",
    "ru": "бег игр красив книг город прочит больш стро работ дет",
    "tr": "ev kitap göz araba çocuk gel öğretmen ağaç ışık köy",
    "sv": "flick bok löp hus arbet frihet", "hu": "ház könyv fut kert asztal barát", "ro": "alerg cas organiz sat frumos",
    "nl": "loop vrij zee boek werk groot", "no": "løp hus mulig bok arbeid", "fi": "talo kirj juoks kyl",
}
ENDINGS = {
    "en": "s es ed ing ingly edly ies y ly ement ment ational tional ization izer ousness iveness fulness biliti icate "
          "alize iciti ful ness al ance ence able ible ant ism ate iti ous ive ize ion 's ying ied eedly li ogi 0",
    "de": "e em en er ern es s est st end ung ig ik isch lich heit keit igung lichkeit erin",
    "fr": "er ait aient ions iez ant ante é ée és ées issement euse eux ement amment emment ité ivité logie usion ence "
          "atrice ateur ible iqUe isme able iste iez ira irait ât âmes eraient",
    "es": "o as a amos ado ada idos iendo ándole arán ería ieron ación idad ivamente mente logía anza encia ables osa "
          "ísimo arselo iéramos abais",
    "it": "o i a e are ere ire ato ando endo azione mente amente ità ivi abile osa logia enza gliela arlo erebbero issimo "
          "avamo eranno",
    "pt": "o as a amos ado ada idos indo ando ará eria eram ação idade ivamente mente logia ância ável oso íssimo ásseis "
          "aríamos ões ão",
    "ru": "а ы у ой ами ах ый ого ому ыми ться лся лись ла ло ли ешь ете ют ять вший вшись ивши ость ости ейше ейший ие ия",
    "tr": "ler lerimiz im in imiz den de ye lardan daki dakiler mişler iyordu yorum ecek dır dirler siniz ken ca casına lik",
    "sv": "or arna arnas het heten en ens a ade ande lig", "hu": "ak am unk aitokról ban ból hoz nak nek ért ként ainkban é",
    "ro": "ul ului ilor ele ea ește ându izat ție abil itate", "nl": "en s heid heden ing elijk end je tje baar",
    "no": "en ene ens het hetens er ere ende lig leg", "fi": "ssa sta lla mme nne kaan ja jen tta ksi isi mpi",
}
NOISE = [
    "3.14", "1,234,567.89", "2026-11-24T05:35:00Z", "192.168.0.1", "https://example.org/a_b/c?d=e&f=%20#g",
    "jane.doe+tag@mail.example.com", "C++ C# F#", "foo_bar", "_x_", "x__y", "don't", "rock'n'roll", "O’Neil", "’tis",
    "e-mail", "state-of-the-art", "50%", "$9.99", "#tag", "@user", "AT&T", "a.b.c", "1.a", "a:b", "12:30", "v2.0.1-rc1",
    "😀", "👩‍👩‍👧", "🇩🇪🇫🇷", "👍🏽", "❤️", "①②③", "½", "ﬁne", "ﬂy", "ＡＢＣ１２３", "ẞ", "ǅ", "İı", "Σίσυφος", "ΟΔΥΣΣΕΥΣ",
    "cafe\u0301", "A\u030angstro\u0308m", "n\u0303", "\u0301", "a\u0300\u0316b", "한국어 문장입니다", "각", "ภาษาไทยง่าย", "ພາສາ",
    "မြန်မာ", "ភាសា", "हिन्दी के शब्द", "தமிழ்", "עברית", 'צה"ל', "ג'ירפה", "ქართული", "ՀԱՅԵՐԷՆ", "\u200f", "a\u200bb", "a\u00adb", "\u2060",
    "日本語テキスト", "中文", "カタカナー", "ひらがな", "Ⅳ", "µm", "x²", "H₂O", "…", "—", "«»", "„“", "\\n", "\\t", "\\\\", "\u00a0", "\ufeff",
    "a" * 255, "b" * 256, "c" * 300 + "d", "1" * 254 + "x", "1,2,3", "1..2", "a''b", "a'b'", "\U0001d400\U0001d401", "\U00010400",
    "\U0001f130", "\u02d7", "a\u02d7b", "\u055b", "\u1885", "\u202f", "1\u202f000", "ꜱ", "ᲐᲑ", "ꭰ", "\u08d4", "\U0001e900", "null", "TRUE",
]


def word(language, random):
    ending = random.choice(ENDINGS[language].split())
    made = random.choice(STEMS[language].split()) + ("" if ending == "0" else ending)
    return random.choice([made, made, made.capitalize(), made.upper()])


def text(language, random):
    pieces = []
    words = SENTENCES[language].split()
    for _ in range(random.randint(1, 4)):
        kind = random.random()
        if kind < 0.45:
            begin = random.randrange(len(words))
            pieces += words[begin:begin + random.randint(1, 8)]
        elif kind < 0.75 and language in STEMS:
            pieces += [word(language, random) for _ in range(random.randint(1, 7))]
        else:
            pieces += random.sample(NOISE, random.randint(1, 3))
    return random.choice([" ", " ", " ", " ", ",", "", " , "]).join(pieces)


def main():
    numbers = random.Random(20261124)
    for language in SENTENCES:
        main_language = language in ("en", "de", "fr", "es", "it", "pt", "ru", "tr", "zh", "ja")
        for _ in range(100 if main_language else 29):
            print(language, text(language, numbers), sep="\t")


main()
