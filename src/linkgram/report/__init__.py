"""Result files in, things to look at out: figures for a paper, one page for a browser.

Everything here is made from stored study results alone. Such a file may come from anywhere: its
numbers are checked where they are read (`shelf`), its texts are escaped where they are written.
"""
