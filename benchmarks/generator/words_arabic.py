"""Arabic words, written for this benchmark: hamza forms, the article, vowel signs at times."""

from __future__ import annotations

NOUNS = """
    سياسة إجراء تقرير عقد فاتورة طلب مورد عميل موظف إدارة قسم مشروع ميزانية إيراد مصروف ضريبة رسم أمر شراء
    بيع مخزن مستودع شحنة توصيل استرجاع استبدال ضمان تأمين قرض دفعة رصيد حساب بنك فرع مدير محاسب مراجعة
    تدقيق امتثال مخاطرة خطة هدف مؤشر أداء جودة إنتاج مصنع آلة صيانة عطل قطعة أداة معيار شهادة تدريب دورة
    إجازة راتب مكافأة تقاعد توظيف مقابلة عقوبة شكوى اعتراض قضية محكمة محام شاهد قانون لائحة مادة بند ملحق
    توقيع ختم وثيقة أرشيف سجل نسخة ملف بيانات جدول خادم شبكة نظام برنامج تطبيق واجهة مستخدم صلاحية كلمة
    مرور تشفير نسخ هجوم ثغرة تحديث إصدار اختبار نشر سوق سعر خصم عرض حملة إعلان علامة منتج متجر سلة زبون
    وكيل موزع ميناء جمرك سفينة طائرة قطار حافلة طريق جسر محطة كهرباء ماء غاز وقود طاقة أرض مزرعة محصول قمح
    أرز قهوة شاي بخور عطر أثاث مدرسة جامعة مستشفى دواء مريض عيادة أسرة إسكان إيجار مستأجر مالك بلدية ترخيص
    رخصة إقامة جواز تأشيرة سفر مطار فندق مطعم متحف مكتبة كتاب ترجمة مؤتمر لجنة اجتماع قرار توصية إشعار
    رسالة آلية أولوية مسؤولية إيصال استئناف أصل
""".split()

ADJECTIVES = """
    سنوي شهري أسبوعي يومي مالي إداري قانوني تجاري صناعي زراعي طبي تقني رقمي آلي يدوي مؤقت دائم عام خاص
    رئيسي فرعي أساسي إضافي داخلي خارجي محلي إقليمي دولي جديد قديم معتمد ملغى مفتوح مغلق سريع بطيء آمن خطر
    مجاني مدفوع متأخر مبكر كامل جزئي مباشر موحد مشترك مستقل إلزامي اختياري أولي نهائي
""".split()

VERBS = """
    يراجع يعتمد يرفض يرسل يستلم يدفع يحسب يسجل يحدث يحذف يوقع ينشر يطلب يشتري يبيع يخزن ينقل يسلم يفحص
    يصلح يدرب يوظف يقيم يخطط ينفذ يراقب يبلغ يوافق يعترض يلغي يجدد يمدد يحفظ يحمي يختبر يطور يترجم يقرر
    يوصي يشرف
""".split()

QUESTIONS = ("كيف يتم {}؟", "ما هي {}؟", "أين أجد {}؟", "من المسؤول عن {}؟", "هل يوجد شيء عن {}؟")

# Slots: n noun, t with the article, a adjective, b with the article, v verb; N, I, D and Q as in English.
SENTENCES = (
    "{v} {N} {t} {b} قبل {D}.",
    "على {t} أن {v} {t} {b} خلال {Q} يوما.",
    "إذا كان {t} {a} فإن {N} {v} {t}.",
    "لا يجوز {n} {t} بدون {n} من {N}.",
    "كل {n} {a} في `{I}` يخضع لـ {n} {b}.",
    "بعد {D} {v} {t} كل {n} {a} مع {N}.",
    "{t} و{t} من {n} {N} {b}.",
    "عدد {t} {Q} في كل {n} و{v} {N} الباقي.",
)

DESCRIPTIONS = ("كيف {v} {N} {t} {b}.", "ما يجب على {t} قبل {n} {t}.", "شروط {n} {t} مع {N}.")

TITLES = (
    "{n} {t} {b}",
    "{n} {n} {N}",
    "{n} {t} {N}",
    "{n} {n} {#}",
    "{t} {b} {N}",
    "{n} {t} و{t}",
    "{n} {a} {#}",
    "{t} {b} {#}",
)

ARTICLE = "ال"
_SIGNS = "\u064e\u064f\u0650\u0652\u0651"  # fatha, damma, kasra, sukun, shadda
_FOLDED = str.maketrans("أإآةى", "اااهي", "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670\u0640")
_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def with_article(word: str) -> str:
    """A word made definite."""
    return word if word.startswith(ARTICLE) else ARTICLE + word


def vowelled(word: str, draw: int) -> str:
    """A word with some of its vowel signs, as in a text that is careful about how it is read."""
    first = 1 + draw % max(1, len(word) - 1)
    return word[:first] + _SIGNS[draw % len(_SIGNS)] + word[first:]


def loosely_spelt(text: str) -> str:
    """A text as it is often typed: plain alif for its hamza forms, no dots on the end, no vowel signs."""
    return text.translate(_FOLDED)


def eastern_digits(text: str) -> str:
    """A text with its digits as Arabic writes them."""
    return text.translate(_DIGITS)
